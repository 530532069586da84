import type { Catalog } from '../catalog/catalog.ts';
import { compareText } from '../catalog/order.ts';
import { isModelVisible } from '../disclose/visibility.ts';
import type { SearchFilters, SearchResult, SkillRegistry } from '../select/registry.ts';
import type { Skills } from './open-skills.ts';
import { openSkillSearch, type SkillSearch } from './skill-search.ts';

export interface VisibleQuery extends Pick<SearchFilters, 'tags' | 'domain'> {
  readonly query: string;
  readonly limit?: number | undefined;
  /** What skills with the same score are ordered by; `name`. */
  readonly order?: 'name' | 'title' | undefined;
}

/** Searches the skills that a model may know of. */
export type VisibleSearch = (query: VisibleQuery) => Promise<readonly SearchResult[]>;

/**
 * Searches for a model. Where some skills are hidden they are searched apart from the others: a list of all of them that
 * is cut afterwards would name a hidden skill as the twin of one that is not, or lack the other for it.
 */
export function openVisibleSearch(skills: Skills): VisibleSearch {
  const views = new WeakMap<Catalog, Catalog>();
  let search: SkillSearch | undefined;

  const registryOf = async (catalog: Catalog): Promise<SkillRegistry> => {
    if (catalog.skills.every((skill) => skill.status !== 'enabled' || isModelVisible(skill))) {
      await skills.completeSearch();
      return skills.registry();
    }
    search ??= openSkillSearch(skills.environment.agentHome);
    const view = views.get(catalog) ?? { ...catalog, skills: catalog.skills.filter(isModelVisible) };
    views.set(catalog, view);
    await search.complete(view);
    return search.registryOf(view);
  };

  return async ({ query, tags, domain, limit, order = 'name' }) => {
    const registry = await registryOf(skills.catalog());
    // In another order others may be among the first: it is cut afterwards.
    const found = registry.search(query, { tags, domain }, order === 'name' ? limit : Number.POSITIVE_INFINITY);
    const results = order === 'name' ? found : [...found].sort(byTitle).slice(0, limit);
    if (query.trim() !== '') await skills.usage.record(results.map(({ name }) => ({ skill: name, kind: 'searched' })));
    return results;
  };
}

function byTitle(a: SearchResult, b: SearchResult): number {
  return b.score - a.score || compareText(a.title, b.title) || compareText(a.id, b.id);
}
