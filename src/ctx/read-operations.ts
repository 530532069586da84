import { explainBroken, visibleSkills } from '../agent/visible-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import type { CtxFailure, CtxLoadAnswer, CtxResourceAnswer, CtxSearchAnswer } from './answer.ts';
import { failNotFound, findSkillOrFile } from './find-target.ts';
import { answerRead, failOffset } from './read-resource.ts';
import type { Statement } from './statement.ts';

const DEFAULT_LIMIT = 10;

/** `?s`: tags without a query list every skill that has them. The name of a broken skill is answered with what is wrong with it. */
export async function answerSearch(
  skills: Skills,
  { target = '', tags, domain, limit }: Statement,
): Promise<CtxSearchAnswer | CtxFailure> {
  const isListing = target.trim() === '' && tags.length > 0;
  const most = limit ?? (isListing ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT);
  const found = await skills.search({ query: target, tags, domain, limit: most, view: 'model', order: 'title' });
  const idOf = openIds(visibleSkills(skills));
  const results = found.map((result) => ({
    id: idOf(result),
    name: result.title,
    description: result.description,
    tags: result.tags,
    score: result.score,
    ...(result.weak === true ? { weak: true as const } : {}),
  }));
  const broken = results.every(({ weak }) => weak === true) ? explainBroken(skills, target.trim()) : undefined;
  return broken ?? { ok: true, results };
}

/** `!s`: a skill, or with a path one of its files. */
export async function answerLoad(
  skills: Skills,
  statement: Statement,
): Promise<CtxLoadAnswer | CtxResourceAnswer | CtxFailure> {
  const { target = '', pairs } = statement;
  const found = findSkillOrFile(skills, target);
  if (!found.ok) return found;
  const { skill, path } = found;
  const id = openIds(visibleSkills(skills))(skill);
  if (path !== undefined) return answerRead(skills, { id, name: skill.name, path, offset: pairs['offset'] });
  if (pairs['offset'] !== undefined) return failOffset();
  const loaded = await skills.serving.load(skill.name);
  if (!loaded.ok) return loaded.code === 'SKILL_NOT_FOUND' ? failNotFound(skills, target) : loaded;
  const { title, description, domain, version, tags, source, dir } = loaded.skill;
  return {
    ok: true,
    skill: { id, name: title, description, tags, domain, version, source, dir },
    content: loaded.body,
    tokens: loaded.tokens,
  };
}

/** Returns a skill's id, or its name if the id would find another skill. */
function openIds(skills: readonly Skill[]): (skill: Pick<Skill, 'id' | 'name'>) => string {
  const owners = new Map<string, string>();
  for (const { id, name } of skills) if (!owners.has(id)) owners.set(id, name);
  for (const { name } of skills) owners.set(name, name);
  return ({ id, name }) => (owners.get(id) === name ? id : name);
}
