import type { FileStamp, SkillDefinition, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';

/** The source that a skill belongs to. */
export type Placement = Pick<Skill, 'source' | 'group' | 'level'>;

/** The state of a usable skill. Most skills keep it, so their records are shared, not copied. */
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

export function placementOf({ id, group, level }: SourceRoot): Placement {
  return { source: id, group, level };
}

export function placeSkill(skill: SkillDefinition, placement: Placement, stamp: FileStamp): Skill {
  return { ...skill, ...placement, stamp, ...USABLE };
}
