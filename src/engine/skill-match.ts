import type { Catalog } from '../catalog/catalog.ts';
import { isModelVisible } from '../disclose/visibility.ts';
import type { SearchResult, SkillRegistry } from '../select/registry.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';
import { openTriggers, type MatchOptions, type TriggerMatcher } from '../select/triggers.ts';
import type { Usage } from '../usage/usage.ts';
import type { SkillSearch } from './skill-search.ts';

export type SkillMatchOptions = Pick<MatchOptions, 'maxSkills' | 'paths'>;

/** A skill that a message activates, with how well it serves the message besides: 0 to 0.5. */
export interface SkillMatch extends TriggerMatch {
  readonly score: number;
}

export interface SkillMatches {
  /** The skills that a message activates, the most wanted first. */
  readonly matches: readonly SkillMatch[];
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
    const matcher = matchers.get(catalog) ?? openTriggers(catalog.skills.filter(isModelVisible));
    matchers.set(catalog, matcher);
    return matcher;
  };
  return async (catalog, message, options = {}) => {
    const registry = search.registryOf(catalog);
    const lastUsed = await usage.lastUsed(catalog.skills.map(({ name }) => name));
    const relevance = registry.relevanceTo(message);
    const found = matcherOf(catalog).match(message, { ...options, lastUsed, relevance: () => relevance });
    const matches = found.map((one) => ({ ...one, score: relevance.get(one.skill) ?? 0 }));
    await usage.record(matches.map(({ skill }) => ({ skill: skill.name, kind: 'matched' })));
    return { matches, suggestions: matches.length > 0 ? [] : suggest(registry, catalog, message) };
  };
}

const SUGGESTIONS = 3;

function suggest(registry: SkillRegistry, { skills }: Catalog, message: string): readonly SearchResult[] {
  const offered = new Set(skills.filter(isModelVisible).map(({ name }) => name));
  const found = registry.search(message).filter(({ name }) => offered.has(name));
  return found.slice(0, SUGGESTIONS);
}
