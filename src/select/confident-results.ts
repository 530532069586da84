import { once } from '../model/once.ts';
import { wordsOf } from './index/words.ts';
import type { SkillSearchResult } from './registry.ts';

/**
 * Minimum confidence for an unrequested suggestion. Measured on real requests (`npm run bench -- hints`): at most 5% of
 * suggestions are wrong, even if no skill matches half of the requests.
 */
export const CONFIDENT = 0.96;

const MOST = 2;
/** "yes", "go on" and "fix the tests" are literally in many descriptions. */
const FEWEST_WORDS = 3;

/**
 * The best result, or the best two, if they certainly serve the request and do not keep it away by their own text; mostly
 * none. `results` are the best first.
 */
export function pickConfident(
  request: string,
  results: readonly SkillSearchResult[],
  floor: number = CONFIDENT,
): readonly SkillSearchResult[] {
  if (isTooShort(request)) return [];
  const sure = results.filter(({ confidence, weak }) => confidence >= floor && weak !== true).slice(0, MOST);
  return sure.some(({ description }) => isExcluded(description, request)) ? [] : sure;
}

/**
 * Minimum confidence of the best result for suggestions that the model must judge itself. At 300 skills this names the
 * right one for two thirds of requests, and something for one sixth of requests without a match.
 */
export const LIKELY = 0.3;
/** The results after the best one may be less likely, but not this unlikely. */
const LEAST_LIKELY = 0.05;
const MOST_LIKELY = 3;

/** Up to three results that may serve the request, best first; none if even the best is unlikely. */
export function pickLikely(request: string, results: readonly SkillSearchResult[]): readonly SkillSearchResult[] {
  if (isTooShort(request) || (results[0]?.confidence ?? 0) < LIKELY) return [];
  return results
    .slice(0, MOST_LIKELY)
    .filter(({ confidence, description }) => confidence >= LEAST_LIKELY && !isExcluded(description, request));
}

/** Does a request say too little for any result to be sure? */
export function isTooShort(request: string): boolean {
  return new Set(wordsOf(request)).size < FEWEST_WORDS;
}

/** Why `pickConfident` picks none of these results. */
export function explainDoubt(request: string, results: readonly SkillSearchResult[]): string {
  const [best] = results;
  if (isTooShort(request)) return 'the message is too short to be sure';
  if (best === undefined) return 'no skill shares a word with the message';
  if (best.confidence < CONFIDENT)
    return `the best skill, ${best.name}, has a confidence of ${best.confidence.toFixed(2)}; it takes ${CONFIDENT}`;
  return 'the description of the best skill keeps such requests away';
}

/** Sentences in which a skill states what it is not for. */
const EXCLUSION =
  /(?:^|(?<=[.!?;\n(]))\s*(?:do not|don't|not for|not to be|never|skip|avoid|use \S+ instead)[^.!?\n]*(?:[.!?\n]|$)/gi;

/** Words that announce an exclusion without naming it. */
const emptyWords = once(
  () =>
    new Set(
      wordsOf(
        'do not use using never skip avoid this skill when trigger for if instead only just any user asks request',
      ),
    ),
);

/**
 * Does a description keep this request away? It does if the request has every word of one thing that the description says
 * the skill is not for, such as "invoices" in "Do not use for invoices or for plain text files."
 */
function isExcluded(description: string, request: string): boolean {
  const asked = new Set(wordsOf(request));
  return [...description.matchAll(EXCLUSION)].some(([sentence]) =>
    sentence
      .replaceAll(/\([^)]*\)/g, '')
      .split(/,|;|:|\b(?:or|and|nor|for|to)\b/i)
      .map((part) => wordsOf(part).filter((word) => !emptyWords().has(word)))
      .some((words) => words.length > 0 && words.every((word) => asked.has(word))),
  );
}
