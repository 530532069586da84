import type { Catalog } from '../catalog/catalog.ts';
import type { Skill } from '../model/skill.ts';
import type { SearchResult, SkillRegistry } from '../select/registry.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';
import { openTriggers, type MatchOptions, type TriggerMatcher } from '../select/triggers.ts';
import type { Usage } from '../usage/usage.ts';
import type { SkillSearch } from './skill-search.ts';

export type SkillMatchOptions = Pick<MatchOptions, 'maxSkills' | 'paths'>;

export interface SkillMatches {
  /** The skills that a message activates, the most wanted first. */
  readonly matches: readonly TriggerMatch[];
  /** Where it activates none: what a search finds for it. */
  readonly suggestions: readonly SearchResult[];
}

export interface MatchParts {
  readonly search: SkillSearch;
  readonly usage: Usage;
}

export type SkillMatcher = (catalog: Catalog, message: string, options?: SkillMatchOptions) => Promise<SkillMatches>;

/** Matches messages with the triggers of the skills that a model may use. */
export function openSkillMatch({ search, usage }: MatchParts): SkillMatcher {
  const matchers = new WeakMap<Catalog, TriggerMatcher>();
  const matcherOf = (catalog: Catalog): TriggerMatcher => {
    const matcher = matchers.get(catalog) ?? openTriggers(catalog.skills.filter(isOffered));
    matchers.set(catalog, matcher);
    return matcher;
  };
  return async (catalog, message, options = {}) => {
    const registry = search.registryOf(catalog);
    const lastUsed = await usage.lastUsed(catalog.skills.map(({ name }) => name));
    const relevance = (text: string): ReadonlyMap<Skill, number> => registry.relevanceTo(text);
    const matches = matcherOf(catalog).match(message, { ...options, lastUsed, relevance });
    await usage.record(matches.map(({ skill }) => ({ skill: skill.name, kind: 'matched' })));
    return { matches, suggestions: matches.length > 0 ? [] : suggest(registry, catalog, message) };
  };
}

const SUGGESTIONS = 3;

function suggest(registry: SkillRegistry, { skills }: Catalog, message: string): readonly SearchResult[] {
  const offered = new Set(skills.filter(isOffered).map(({ name }) => name));
  const found = registry.search(message).filter(({ name }) => offered.has(name));
  return found.slice(0, SUGGESTIONS);
}

function isOffered({ status, hidden }: Skill): boolean {
  return status === 'enabled' && !hidden;
}
