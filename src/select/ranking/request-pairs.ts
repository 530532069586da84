import { pairKey } from '../index/document.ts';
import { has, type SortedSet } from '../index/sorted-set.ts';

/** Two adjacent words of a request, and their value for a document with the same pair. */
export interface RequestPair {
  readonly key: number;
  /** The places of both words among the words of the request. */
  readonly first: number;
  readonly second: number;
  readonly rarity: number;
  readonly positionWeight: number;
}

/** A word of a request, with its weights. */
interface PairedWord {
  readonly hash: number;
  readonly rarity: number;
  readonly positionWeight: number;
}

/** Each pair once, in the order of the request. `sequence` has the place of each word of the request among `words`. */
export function pairUp(
  sequence: readonly (number | undefined)[],
  words: readonly PairedWord[],
): readonly RequestPair[] {
  const pairs = new Map<number, RequestPair>();
  for (const [at, second] of sequence.entries()) {
    const first = sequence[at - 1];
    const [one, other] = [words[first ?? -1], words[second ?? -1]];
    if (first === undefined || second === undefined || one === undefined || other === undefined) continue;
    const key = pairKey(one.hash, other.hash);
    const rarity = one.rarity + other.rarity;
    const positionWeight = one.positionWeight + other.positionWeight;
    if (!pairs.has(key)) pairs.set(key, { key, first, second, rarity, positionWeight });
  }
  return [...pairs.values()];
}

/**
 * The pairs in a document: `known` are its pair keys. `places` are those of each request word in the document; both
 * words must share one.
 */
export function sharedPairs(
  pairs: readonly RequestPair[],
  known: SortedSet,
  places: Uint8Array,
  place: number,
): readonly RequestPair[] {
  return pairs.filter(
    ({ key, first, second }) => ((places[first] ?? 0) & (places[second] ?? 0) & place) !== 0 && has(known, key),
  );
}
