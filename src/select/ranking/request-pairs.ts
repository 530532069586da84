import { pairKey } from '../index/document.ts';
import { lengthAt, listAt, type Lists } from '../index/lists.ts';
import { isIn, type SortedSet } from '../index/sorted-set.ts';

/** The pairs of neighbouring words of a request, with the value of each for a document that has it. */
export interface RequestPairs {
  /** As the request says them. */
  readonly keys: readonly number[];
  /** The places of both words among the words of the request. */
  readonly firsts: Uint32Array;
  readonly seconds: Uint32Array;
  /** The places of the pairs: as the request says them, and by their keys. */
  readonly said: readonly number[];
  readonly ascending: readonly number[];
  readonly worth: readonly number[];
  /** The same where words that come early count more. */
  readonly earlyWorth: readonly number[];
  readonly total: number;
}

/** A word of a request, with what it weighs. */
interface PairedWord {
  readonly code: number;
  readonly rarity: number;
  readonly early: number;
}

/** `sequence` has the place of each word of the request among `words`. */
export function pairUp(sequence: readonly (number | undefined)[], words: readonly PairedWord[]): RequestPairs {
  const pairs = new Map<number, readonly [first: number, second: number]>();
  for (const [at, second] of sequence.entries()) {
    const first = sequence[at - 1];
    if (first === undefined || second === undefined) continue;
    const key = pairKey(words[first]?.code ?? 0, words[second]?.code ?? 0);
    if (!pairs.has(key)) pairs.set(key, [first, second]);
  }
  const members = [...pairs.values()];
  const sumOf = (part: 'rarity' | 'early'): readonly number[] =>
    members.map(([first, second]) => (words[first]?.[part] ?? 0) + (words[second]?.[part] ?? 0));
  const worth = sumOf('rarity');
  const keys = [...pairs.keys()];
  return {
    keys,
    firsts: Uint32Array.from(members, ([first]) => first),
    seconds: Uint32Array.from(members, ([, second]) => second),
    said: [...keys.keys()],
    ascending: [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0)),
    worth,
    earlyWorth: sumOf('early'),
    total: worth.reduce((sum, each) => sum + each, 0),
  };
}

/** A document: its pairs, and for each word of the request its places there, with the bit of those that count. */
export interface PairedDocument {
  readonly lists: Lists;
  readonly document: number;
  readonly places: Uint8Array;
  readonly bit: number;
}

/** The places of the pairs that a document shares with a request. Only those are looked for whose words are both there. */
export function sharedPairs(pairs: RequestPairs, { lists, document, places, bit }: PairedDocument): readonly number[] {
  const { keys, firsts, seconds, said, ascending } = pairs;
  const order = keys.length * SHORT < lengthAt(lists, document) ? said : ascending;
  const shared: number[] = [];
  let known: SortedSet | undefined;
  for (let nth = 0; nth < order.length; nth += 1) {
    const at = order[nth] ?? 0;
    if (((places[firsts[at] ?? 0] ?? 0) & (places[seconds[at] ?? 0] ?? 0) & bit) === 0) continue;
    // Most documents have no such words, and their lists need not be read.
    known ??= listAt(lists, document);
    if (isIn(known, keys[at] ?? 0)) shared.push(at);
  }
  return shared;
}

/**
 * A request is short for a document with more pairs for each of its own. The order of the pairs decides the last digit of
 * their sum, and scores must stay the same from one version to the next.
 */
const SHORT = 16;
