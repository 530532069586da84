import type { Catalog } from '../catalog/catalog.ts';
import { isModelVisible } from '../catalog/view.ts';
import { readConfig } from '../config/read-config.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';
import { openTriggers, type MatchOptions, type TriggerMatcher } from '../select/triggers.ts';
import type { Usage } from '../usage/usage.ts';
import type { SkillScope } from './skill-scope.ts';
import type { SkillSearch } from './skill-search.ts';

export interface SkillMatchOptions extends Pick<MatchOptions, 'paths'> {
  /** Maximum number of skills. Default: the setting `maxSkills`. */
  readonly maxSkills?: number | undefined;
}

/** A skill that a message activates; `score` (0 to 0.5) says how relevant it is to the message as a whole. */
export interface SkillMatch extends TriggerMatch {
  readonly score: number;
}

export interface SkillSuggestion {
  readonly name: string;
  readonly score: number;
}

export interface SkillMatches {
  /** The activated skills, strongest match first. */
  readonly matches: readonly SkillMatch[];
  /** The most relevant skills if none was activated. */
  readonly suggestions: readonly SkillSuggestion[];
}

export interface MatchParts {
  readonly search: SkillSearch;
  readonly usage: Usage;
  readonly environment: Environment;
}

export type SkillMatcher = (scope: SkillScope, message: string, options?: SkillMatchOptions) => Promise<SkillMatches>;

/** Matches messages against the triggers of the skills that a model may see. */
export function openSkillMatch({ search, usage, environment }: MatchParts): SkillMatcher {
  const matchers = new WeakMap<Catalog, TriggerMatcher>();
  const matcherOf = (catalog: Catalog): TriggerMatcher => {
    const matcher = matchers.get(catalog) ?? openTriggers(catalog.skills.filter(isModelVisible));
    matchers.set(catalog, matcher);
    return matcher;
  };
  return async (scope, message, options = {}) => {
    const catalog = scope.catalog();
    const lastUsed = await usage.lastUsed(catalog.skills.map(({ name }) => name));
    const relevance = search.visibleTo(scope).relevanceTo(message);
    const maxSkills = options.maxSkills ?? (await readConfig(environment)).config.maxSkills;
    const found = matcherOf(catalog).match(message, { ...options, maxSkills, lastUsed, relevance: () => relevance });
    const matches = found.map((one) => ({ ...one, score: relevance.get(one.skill) ?? 0 }));
    await usage.record(matches.map(({ skill }) => ({ skill: skill.name, kind: 'matched' })));
    return { matches, suggestions: matches.length > 0 ? [] : suggest(relevance) };
  };
}

const SUGGESTIONS = 3;

function suggest(relevance: ReadonlyMap<Skill, number>): readonly SkillSuggestion[] {
  return [...relevance].slice(0, SUGGESTIONS).map(([{ name }, score]) => ({ name, score }));
}
