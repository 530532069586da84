import type { Catalog } from '../catalog/catalog.ts';
import { isModelVisible } from '../catalog/view.ts';
import { readConfig, type ConfigReading } from '../config/read-config.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import { WEAK_BELOW, type SkillRelevance } from '../select/registry.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';
import { openTriggers, type MatchOptions, type TriggerMatcher } from '../select/triggers.ts';
import type { SkillScope } from './skill-scope.ts';
import type { SkillSearch } from './skill-search.ts';

export interface SkillMatchOptions extends Pick<MatchOptions, 'paths'> {
  /** Maximum number of skills. Default: the setting `maxSkills`. */
  readonly maxSkills?: number | undefined;
  /** A look around: what was matched is not recorded in the history of use. */
  readonly isTrial?: boolean | undefined;
}

/** A skill that a message activates, with its relevance to the message as a whole. */
export interface SkillMatch extends TriggerMatch, SkillRelevance {}

export interface SkillSuggestion extends SkillRelevance {
  readonly name: string;
}

export interface SkillMatches {
  /** The activated skills, strongest match first. */
  readonly matches: readonly SkillMatch[];
  /** The most relevant skills if none was activated; weak ones are left out. */
  readonly suggestions: readonly SkillSuggestion[];
}

export interface MatchParts {
  readonly search: SkillSearch;
  readonly environment: Environment;
}

export type SkillMatcher = (scope: SkillScope, message: string, options?: SkillMatchOptions) => Promise<SkillMatches>;

/** Matches messages against the triggers of the skills that a model may see. */
export function openSkillMatch({ search, environment }: MatchParts): SkillMatcher {
  const matchers = new WeakMap<Catalog, TriggerMatcher>();
  const matcherOf = (catalog: Catalog): TriggerMatcher => {
    const matcher = matchers.get(catalog) ?? openTriggers(catalog.skills.filter(isModelVisible));
    matchers.set(catalog, matcher);
    return matcher;
  };
  // Read once for each scan, which reads the configuration, too.
  const settings = new WeakMap<Catalog, Promise<ConfigReading>>();
  const maxSkillsOf = async (whole: Catalog): Promise<number> => {
    const reading = settings.get(whole) ?? readConfig(environment);
    settings.set(whole, reading);
    return (await reading).config.maxSkills;
  };
  return async (scope, message, options = {}) => {
    const catalog = scope.catalog();
    const { usage } = scope;
    const lastUsed = await usage.lastUsed(catalog.skills.map(({ name }) => name));
    const relevance = await search.relevanceTo(scope, message, await usage.preferredFor(message));
    const scores = new Map([...relevance].map(([skill, { score }]) => [skill, score]));
    const maxSkills = options.maxSkills ?? (await maxSkillsOf(scope.whole()));
    const found = matcherOf(catalog).match(message, { ...options, maxSkills, lastUsed, relevance: () => scores });
    const matches = found.map((one) => ({ ...one, ...(relevance.get(one.skill) ?? NO_RELEVANCE) }));
    if (options.isTrial !== true) {
      await usage.record(matches.map(({ skill }) => ({ skill: skill.name, kind: 'matched' })));
      await usage.noteRequest(message);
    }
    return { matches, suggestions: matches.length > 0 ? [] : suggest(relevance) };
  };
}

const SUGGESTIONS = 3;

const NO_RELEVANCE: SkillRelevance = { score: 0, confidence: 0 };

function suggest(relevance: ReadonlyMap<Skill, SkillRelevance>): readonly SkillSuggestion[] {
  const strong = [...relevance].filter(([, { confidence }]) => confidence >= WEAK_BELOW);
  return strong.slice(0, SUGGESTIONS).map(([{ name }, { score, confidence }]) => ({ name, score, confidence }));
}
