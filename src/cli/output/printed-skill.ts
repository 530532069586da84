import type { Skill } from '../../model/skill.ts';

/** A skill as `--json` prints it: without the times of its file, so that the same skills give the same bytes. */
export function printedSkill({ stamp: _stamp, ...skill }: Skill): object {
  return skill;
}
