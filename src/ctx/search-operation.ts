import { visibleSkills } from '../agent/visible-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import type { SearchAnswer } from './answer.ts';
import type { Statement } from './statement.ts';

const DEFAULT_LIMIT = 10;

export type SearchOperation = (statement: Statement) => Promise<SearchAnswer>;

/** `?s`: tags without a query list every skill that has them. */
export function openSearchOperation(skills: Skills): SearchOperation {
  return async ({ target = '', tags, domain, limit }) => {
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
    }));
    return { ok: true, results };
  };
}

/** The id of a skill, or its name where another skill would be found by the id. */
export function openIds(skills: readonly Skill[]): (skill: Pick<Skill, 'id' | 'name'>) => string {
  const owners = new Map<string, string>();
  for (const { id, name } of skills) if (!owners.has(id)) owners.set(id, name);
  for (const { name } of skills) owners.set(name, name);
  return ({ id, name }) => (owners.get(id) === name ? id : name);
}
