import type { FileStamp } from '../model/folder.ts';
import type { Skill, SkillDefinition } from '../model/skill.ts';

/** The source that a skill belongs to. */
export type Placement = Pick<Skill, 'source' | 'group' | 'level'>;

/** Equals no other stamp: for skills that are not read from a file, or whose file cannot be read. */
export const NO_STAMP: FileStamp = { mtimeMs: 0, ctimeMs: Number.NaN, size: 0, ino: 0 };

/** Gives a skill its source and the state of a usable one. */
export function placeSkill(
  skill: SkillDefinition,
  { source, group, level }: Placement,
  stamp: FileStamp = NO_STAMP,
): Skill {
  return {
    ...skill,
    source,
    group,
    level,
    stamp,
    enabled: true,
    available: true,
    status: 'enabled',
    reasons: [],
    shadows: [],
    shadowedBy: undefined,
  };
}
