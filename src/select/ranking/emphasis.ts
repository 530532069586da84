import { EMPHASIS_WEIGHTS } from './learned-weights.ts';
import type { WordStanding } from './standing.ts';

/** A word of a request, as the request and the index describe it. */
export interface WordTraits extends WordStanding {
  readonly rarity: number;
  /** Its place among the request's words, from 0, and their number. */
  readonly position: number;
  readonly count: number;
  readonly isInLastSentence: boolean;
  readonly hasDigit: boolean;
  readonly length: number;
  /** How often the request says it. */
  readonly times: number;
  /** In how many skills the word is: anywhere, in its name, description or tags, in its name. */
  readonly holders: number;
  readonly metadataHolders: number;
  readonly nameHolders: number;
}

/** One number for each of `EMPHASIS_WEIGHTS`. */
export function measureTraits(traits: WordTraits): readonly number[] {
  const { rarity, position, count, holders, metadataHolders, nameHolders } = traits;
  return [
    rarity,
    Math.log(1 + position),
    position / Math.max(1, count - 1),
    Number(traits.isInLastSentence),
    Number(traits.hasDigit),
    Math.log((metadataHolders + 1) / (holders + 2)),
    Math.log(1 + nameHolders),
    Math.log(traits.times),
    Number(position === 0),
    Math.min(20, traits.length),
    Number(traits.isAskedFor),
    Number(traits.isNamed),
  ];
}

/**
 * How much a word says about the task of a request. It adds to rarity, which alone lets a rare word of the topic beat the
 * words of the task.
 */
export function emphasisOf(traits: WordTraits): number {
  const measured = measureTraits(traits);
  let sum = 0;
  for (const [at, { weight }] of EMPHASIS_WEIGHTS.entries()) sum += weight * (measured[at] ?? 0);
  return traits.rarity * Math.exp(Math.max(-8, Math.min(8, sum)));
}
