import { rarityIn, type SearchIndex } from '../index/search-index.ts';
import { CONFIDENCE_WEIGHTS } from './learned-confidence.ts';
import type { Relevance } from './relevance.ts';
import type { Request } from './request.ts';

/** The probability that each result is right: of results with 0.9, nine of ten are. */
export function confidencesOf(results: readonly Relevance[], request: Request, index: SearchIndex): readonly number[] {
  const alone = evidenceOf(results, request, index).map(confidenceIn);
  const best = Math.max(0, ...alone);
  const first = alone.indexOf(best);
  // One request seldom needs two skills: what speaks for the best result speaks against the others.
  return alone.map((confidence, at) => (at === first ? confidence : confidence * (1 - best)));
}

/** The confidence in each document; what was learned about one never makes another one look weak. */
export function keepHigher<T extends Relevance>(
  results: readonly T[],
  without: readonly T[],
  confidencesIn: (results: readonly T[]) => readonly number[],
): ReadonlyMap<number, number> {
  const confidences = new Map<number, number>();
  for (const some of new Set([results, without])) {
    for (const [at, confidence] of confidencesIn(some).entries()) {
      const document = some[at]?.document ?? -1;
      confidences.set(document, Math.max(confidence, confidences.get(document) ?? 0));
    }
  }
  return confidences;
}

/** The facts that speak for and against a result being the skill that a request needs. */
export interface Evidence {
  /**
   * The sum of its weighted parts, and that of the best other result (0 if there is none). Here and in the share
   * below, the words count that no skill has.
   */
  readonly sum: number;
  readonly rival: number;
  /** The share of the request that the skill covers. */
  readonly covered: number;
  readonly nameSaid: number;
  /** The number of words of the request, and of skills. */
  readonly words: number;
  readonly skills: number;
}

/** One number for each of `CONFIDENCE_WEIGHTS`. */
export function measureEvidence({ sum, rival, covered, nameSaid, words, skills }: Evidence): readonly number[] {
  const lead = Math.max(-MOST_LEAD, Math.min(MOST_LEAD, sum - rival));
  return [1, sum / 10, lead / 4, covered, nameSaid, Math.log(1 + words), Math.log(1 + skills)];
}

/** A longer lead says no more. */
const MOST_LEAD = 8;

/** The evidence for each result, given the others. */
export function evidenceOf(results: readonly Relevance[], request: Request, index: SearchIndex): readonly Evidence[] {
  const known = request.words.reduce((sum, { rarity }) => sum + rarity, 0);
  const share = known === 0 ? 0 : known / (known + request.unknown * rarityIn(index, 0));
  const words = request.words.length + request.unknown;
  const [best = 0, second = 0] = results.map(({ sum }) => sum).sort((a, b) => b - a);
  return results.map(({ sum, parts }) => ({
    sum: share * sum,
    rival: share * (sum === best ? second : best),
    covered: share * parts.covered,
    nameSaid: parts.nameSaid,
    words,
    skills: index.versions.length,
  }));
}

function confidenceIn(evidence: Evidence): number {
  const measured = measureEvidence(evidence);
  let sum = 0;
  for (const [at, { weight }] of CONFIDENCE_WEIGHTS.entries()) sum += weight * (measured[at] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
