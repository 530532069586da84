import { visibleSkills } from '../agent/visible-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { CtxFailure, LoadAnswer } from './answer.ts';
import { failNotFound, findTarget } from './find-target.ts';
import { openIds } from './search-operation.ts';
import type { Statement } from './statement.ts';

/** `!s` */
export async function loadSkill(skills: Skills, { target = '' }: Statement): Promise<LoadAnswer | CtxFailure> {
  const found = findTarget(skills, target);
  if (!found.ok) return found;
  const loaded = await skills.loader.load(found.skill.name);
  if (!loaded.ok) return loaded.code === 'SKILL_NOT_FOUND' ? failNotFound(skills, target) : loaded;
  const { title, description, domain, version, tags, source, dir } = loaded.skill;
  const id = openIds(visibleSkills(skills))(found.skill);
  return {
    ok: true,
    skill: { id, name: title, description, tags, domain, version, source, dir },
    content: loaded.body,
    tokens: loaded.tokens,
  };
}
