import { SkillStore } from '../catalog/store.ts';
import { openOver, type Skills } from '../engine/open-skills.ts';
import { checkCall, skillsOr } from '../model/check-arguments.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment } from '../platform/environment.ts';

/**
 * The skills that something is built over: an engine or a view of it, or a plain list, wherever its skills came from. A list stays as
 * it is; of two skills with one name, the first counts.
 */
export type SkillPool = Skills | readonly Skill[];

/** The engine over these skills. A list has no history: nothing is recorded, and there is nothing to close. */
export function openPool(call: string, pool: SkillPool): Skills {
  if (isEngine(pool)) return pool;
  checkCall(call, { skills: [pool, POOL] });
  return openOver(new SkillStore({ environment: readEnvironment({ config: { usage: false } }), skills: pool }));
}

const POOL = skillsOr('what `openSkills` gives, or a list of skills');

function isEngine(pool: SkillPool): pool is Skills {
  return typeof pool === 'object' && pool !== null && 'catalog' in pool && 'serving' in pool;
}
