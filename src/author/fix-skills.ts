import type { Outcome } from '../model/outcome.ts';
import { mendSkill, type MendedSkill, type MendSkillOptions } from './mend-skill.ts';
import { findSkillDirectories } from './validate-path.ts';

/** Mends what a path names: a skill's directory, its SKILL.md, or a directory of skills. */
export async function fix(path: string, options?: MendSkillOptions): Promise<readonly Outcome<MendedSkill>[]> {
  const mended: Outcome<MendedSkill>[] = [];
  for (const dir of findSkillDirectories(path)) mended.push(await mendSkill(dir, options));
  return mended;
}
