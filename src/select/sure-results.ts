import type { SkillSearchResult } from './registry.ts';
import { wordsOf } from './words.ts';

/** The least that a result must reach so that a model is told of it without having asked. */
export interface Floor {
  readonly score: number;
  /** By how much the last result that is told of leads the next one. */
  readonly margin: number;
}

/**
 * Measured on real requests (`npm run bench -- hints`): where this speaks, fewer than 5 in 100 are wrong, even if every
 * second request is one that no skill serves.
 */
export const SURE: Floor = { score: 0.39, margin: 0.02 };

const MOST = 2;
/** "yes", "go on" and "fix the tests" are literally in many descriptions. */
const FEWEST_WORDS = 3;

/**
 * The best result, or the best two, if they certainly serve the request and do not keep it away by their own text; mostly
 * none. `results` are the best first.
 */
export function pickSure(
  request: string,
  results: readonly SkillSearchResult[],
  { score, margin }: Floor = SURE,
): readonly SkillSearchResult[] {
  if (new Set(wordsOf(request)).size < FEWEST_WORDS) return [];
  const good = results.filter((result) => result.score >= score && result.weak !== true);
  for (let count = 1; count <= Math.min(MOST, good.length); count += 1) {
    const last = good[count - 1]?.score ?? 0;
    if (last - (results[count]?.score ?? 0) < margin) continue;
    const sure = good.slice(0, count);
    return sure.some(({ description }) => isExcluded(description, request)) ? [] : sure;
  }
  return [];
}

/** Sentences by which a skill says what it is not for. */
const EXCLUSION =
  /(?:^|(?<=[.!?;\n(]))\s*(?:do not|don't|not for|not to be|never|skip|avoid|use \S+ instead)[^.!?\n]*(?:[.!?\n]|$)/gi;

/** Words that say that something is left out, and nothing of what. */
const EMPTY = new Set(
  wordsOf('do not use using never skip avoid this skill when trigger for if instead only just any user asks request'),
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
      .map((part) => wordsOf(part).filter((word) => !EMPTY.has(word)))
      .some((words) => words.length > 0 && words.every((word) => asked.has(word))),
  );
}
