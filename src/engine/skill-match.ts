import {
  checkCall,
  aNumber,
  aBoolean,
  optionsOf,
  aString,
  strings,
  type OptionKinds,
} from '../model/check-arguments.ts';
import type { Skill } from '../model/skill.ts';
import { WEAK_BELOW, type SkillRelevance } from '../select/registry.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';
import type { MatchOptions } from '../select/triggers.ts';
import type { SkillScope } from './skill-scope.ts';
import type { SkillSearch } from './skill-search.ts';

export interface SkillMatchOptions extends Pick<MatchOptions, 'paths'> {
  /** Maximum number of skills. Default: the setting `maxSkills`. */
  readonly maxSkills?: number | undefined;
  /** Whether the history records what was matched. Default: true. */
  readonly recordMatch?: boolean | undefined;
}

export const MATCH_KINDS: OptionKinds<SkillMatchOptions> = {
  maxSkills: aNumber,
  recordMatch: aBoolean,
  paths: strings,
};
const MATCH_OPTIONS = optionsOf<SkillMatchOptions>(MATCH_KINDS);

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

export type SkillMatcher = (message: string, options?: SkillMatchOptions) => Promise<SkillMatches>;

/** Matches messages against the triggers of the skills that a model may see. */
export function openSkillMatch(scope: SkillScope, search: SkillSearch): SkillMatcher {
  const { usage } = scope;
  return async (message, options = {}) => {
    checkCall('match(message, options?)', { message: [message, aString], options: [options, MATCH_OPTIONS] });
    const scan = scope.scan();
    const lastUsed = await usage.lastUsed(scan.catalog.skills.map(({ name }) => name));
    const relevance = await search.relevanceTo(scan, message, await usage.preferredFor(message));
    const scores = new Map([...relevance].map(([skill, { score }]) => [skill, score]));
    const maxSkills = options.maxSkills ?? scan.whole.reading.config.maxSkills;
    const found = scan.triggers().match(message, { ...options, maxSkills, lastUsed, relevance: () => scores });
    const matches = found.map((one) => ({ ...one, ...(relevance.get(one.skill) ?? NO_RELEVANCE) }));
    if (options.recordMatch !== false) {
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
