import type { FileStamp, SkillDefinition, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';

/** Where a skill comes from. */
export type Origin = Pick<Skill, 'source' | 'group' | 'level'>;

/** The state of a skill that nothing speaks against; most skills keep it, and with it their record. */
export const USABLE: Pick<
  Skill,
  'enabled' | 'available' | 'status' | 'reasons' | 'unavailableReason' | 'shadows' | 'shadowedBy'
> = {
  enabled: true,
  available: true,
  status: 'enabled',
  reasons: [],
  unavailableReason: undefined,
  shadows: [],
  shadowedBy: undefined,
};

export function originOf({ id, group, level }: SourceRoot): Origin {
  return { source: id, group, level };
}

export function placeSkill(skill: SkillDefinition, origin: Origin, stamp: FileStamp): Skill {
  return { ...skill, ...origin, stamp, ...USABLE };
}
