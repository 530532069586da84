import { basename } from 'node:path';

import type { Dialect } from './dialect.ts';
import type { HostRoot, HostSkill } from './host-skill.ts';
import { readSkillText, type SkillText } from './skill-text.ts';
import { walkSkills, type WalkedSkill, type WalkRules } from './walk.ts';

/** How a host finds and reads skills. */
export interface ReadingRules extends WalkRules {
  readonly dialect: Dialect;
  readonly judge: Judge;
}

/** How a host reads a skill's file. `id` is the name of its folder. */
export type Judge = (text: SkillText, id: string) => Pick<HostSkill, 'name' | 'title' | 'description' | 'loss'>;

/** The skills below a root, as a host reads them. */
export function readRoot(root: HostRoot, rules: ReadingRules): readonly HostSkill[] {
  return walkSkills(root.path, rules).map((walked) => readWalked(walked, root, rules));
}

/** A skill's file, as a host reads it. */
export function readWalked({ dir, file, realFile, loss }: WalkedSkill, root: HostRoot, rules: ReadingRules): HostSkill {
  const id = basename(dir);
  const place = { name: id, description: '', file, realFile, root, fields: new Map() };
  if (loss !== undefined) return { ...place, loss };
  const text = readSkillText(realFile, rules.dialect);
  if (!text.ok) return { ...place, loss: { because: text.message } };
  return { ...place, fields: text.fields, ...rules.judge(text, id) };
}
