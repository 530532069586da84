import type { FileStamp, Skill, SkillDefinition } from '../model/skill.ts';

/** The source that a skill belongs to. */
export type Placement = Pick<Skill, 'source' | 'group' | 'level'>;

/** Gives a skill its source and the state of a usable one. */
export function placeSkill(skill: SkillDefinition, { source, group, level }: Placement, stamp: FileStamp): Skill {
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
    unavailableReason: undefined,
    shadows: [],
    shadowedBy: undefined,
  };
}
