import { mendSkill, type MendedSkill, type MendSkillOptions } from '../author/mend-skill.ts';
import type { Outcome } from '../model/outcome.ts';
import { findSkillDirectories } from './inspect.ts';

export type { MendedSkill, MendSkillOptions };

/** Mends what a path names: a skill's directory, its SKILL.md, or a directory of skills. */
export async function mendPath(path: string, options?: MendSkillOptions): Promise<readonly Outcome<MendedSkill>[]> {
  const mended: Outcome<MendedSkill>[] = [];
  for (const dir of findSkillDirectories(path)) mended.push(await mendSkill(dir, options));
  return mended;
}
