import { PLACES, SAID } from '../index/document.ts';
import { listAt } from '../index/lists.ts';
import { rarityOf, type SearchIndex } from '../index/search-index.ts';
import { firstNotBelow, type SortedSet } from '../index/sorted-set.ts';
import type { Candidate } from './candidates.ts';
import { PART_WEIGHTS } from './learned-weights.ts';
import { sharedPairs, type RequestPairs } from './request-pairs.ts';
import type { KnownWord, Request } from './request.ts';

/**
 * Everything that a skill has in common with a request, each from 0 to about 1: the strength of shared words; the share of the
 * request's words that it covers, also in its best section; how much of its name is said, and whether all of it; pairs
 * of neighbouring words; then shares of the request by the emphasis of its words: how strongly, anywhere, close to the
 * name, in the name, in the instructions, beside their neighbours; and those that its author excludes.
 */
export type RelevanceParts = Record<keyof typeof PART_WEIGHTS, number>;

// The keys of a literal are exactly these.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const PARTS = Object.keys(PART_WEIGHTS) as readonly (keyof RelevanceParts)[];

/** A candidate with its parts. */
export interface Measured {
  readonly document: number;
  readonly parts: Readonly<RelevanceParts>;
  /** For each word of the request, its places in the document (bits of `PLACES`) and its impact there. */
  readonly places: Uint8Array;
  readonly impacts: Uint8Array;
  /** For each word of the request, whether it stands beside a neighbour from the request: bits of `PAIRED`. */
  readonly paired: Uint8Array;
}

/** Bits of `paired`: in name, description and tags; in the instructions. */
export const PAIRED = { close: 1, far: 2 } as const;

export function measureParts(
  index: SearchIndex,
  request: Request,
  candidates: readonly Candidate[],
): readonly Measured[] {
  const { words, pairs } = request;
  const rows = lookUp(index, words, candidates);
  const totals = sumEach(words);
  const best = candidates[0]?.score ?? 1;
  return candidates.map(({ document, score }, at) => {
    const [from, to] = [at * words.length, (at + 1) * words.length];
    const places = rows.places.subarray(from, to);
    const impacts = rows.impacts.subarray(from, to);
    const paired = rows.paired.subarray(from, to);
    const close = sharedPairs(pairs, { lists: index.closePairs, document, places, bit: PLACES.close });
    const far = sharedPairs(pairs, { lists: index.farPairs, document, places, bit: PLACES.far });
    markWords(paired, PAIRED.close, { pairs, shared: close });
    markWords(paired, PAIRED.far, { pairs, shared: far });
    const parts = measureWords(words, { places, impacts, paired, totals });
    parts.strength = score / best;
    parts.section = bestSection(words, rows.sections, from) / totals.rarity;
    if (pairs.total > 0) {
      parts.closePairs = sumAt(pairs.worth, close) / pairs.total;
      parts.farPairs = sumAt(pairs.earlyWorth, far) / totals.early;
    }
    if (parts.nameSaid > 0) {
      const name = listAt(index.name, document);
      const said = places.reduce((count, place) => count + Number((place & PLACES.name) !== 0), 0);
      parts.nameSaid /= sumRarity(name, index);
      parts.nameWhole = Number(said === name.length && name.length > 1);
    }
    return { document, parts, places, impacts, paired };
  });
}

type Totals = Record<'rarity' | 'early' | 'emphasis', number>;

function sumEach(words: readonly KnownWord[]): Readonly<Totals> {
  const totals: Totals = { rarity: 0, early: 0, emphasis: 0 };
  for (const { rarity, early, emphasis } of words) {
    totals.rarity += rarity;
    totals.early += early;
    totals.emphasis += emphasis;
  }
  return totals;
}

/** The words of one document, and the sums over all words of the request. */
interface Row {
  readonly places: Uint8Array;
  readonly impacts: Uint8Array;
  readonly paired: Uint8Array;
  readonly totals: Readonly<Totals>;
}

interface SharedPairs {
  readonly pairs: RequestPairs;
  readonly shared: readonly number[];
}

function markWords(paired: Uint8Array, bit: number, { pairs, shared }: SharedPairs): void {
  for (const pair of shared) {
    const [first, second] = [pairs.firsts[pair] ?? 0, pairs.seconds[pair] ?? 0];
    paired[first] = (paired[first] ?? 0) | bit;
    paired[second] = (paired[second] ?? 0) | bit;
  }
}

function sumAt(values: readonly number[], places: readonly number[]): number {
  let sum = 0;
  for (const place of places) sum += values[place] ?? 0;
  return sum;
}

/** The parts that add up word by word; of `nameSaid` only the numerator. */
function measureWords(words: readonly KnownWord[], { places, impacts, paired, totals }: Row): RelevanceParts {
  const parts: RelevanceParts = { ...NO_PARTS };
  for (let at = 0; at < words.length; at += 1) {
    const place = places[at] ?? 0;
    if (place === 0) continue;
    const { rarity = 0, emphasis = 0 } = words[at] ?? {};
    const share = emphasis / totals.emphasis;
    if ((place & (PLACES.excluded | PLACES.close)) === PLACES.excluded) parts.excluded += share;
    if ((place & SAID) === 0) continue;
    parts.covered += rarity / totals.rarity;
    parts.emphasisCovered += share;
    parts.emphasisStrength += (share * (impacts[at] ?? 0)) / MAX_IMPACT;
    if ((place & PLACES.close) !== 0) parts.emphasisClose += share;
    if ((place & PLACES.far) !== 0) parts.emphasisFar += share;
    const pairs = paired[at] ?? 0;
    if ((pairs & PAIRED.close) !== 0) parts.emphasisClosePairs += share;
    if ((pairs & PAIRED.far) !== 0) parts.emphasisFarPairs += share;
    if ((place & PLACES.name) === 0) continue;
    parts.emphasisName += share;
    parts.nameSaid += rarity;
  }
  return parts;
}

const MAX_IMPACT = 255;

const NO_PARTS: Readonly<RelevanceParts> = {
  strength: 0,
  covered: 0,
  section: 0,
  nameSaid: 0,
  nameWhole: 0,
  closePairs: 0,
  farPairs: 0,
  excluded: 0,
  emphasisStrength: 0,
  emphasisCovered: 0,
  emphasisClose: 0,
  emphasisName: 0,
  emphasisFar: 0,
  emphasisClosePairs: 0,
  emphasisFarPairs: 0,
};

/** The most rarity that a single section has. `from` is where the words of the document begin. */
function bestSection(words: readonly KnownWord[], sections: Uint32Array, from: number): number {
  const sums = new Float64Array(32);
  let best = 0;
  for (let at = 0; at < words.length; at += 1) {
    const rarity = words[at]?.rarity ?? 0;
    for (let mask = sections[from + at] ?? 0; mask !== 0; mask &= mask - 1) {
      const section = 31 - Math.clz32(mask & -mask);
      const sum = (sums[section] ?? 0) + rarity;
      sums[section] = sum;
      if (sum > best) best = sum;
    }
  }
  return best;
}

/** A row of the postings of each word, for each candidate. */
interface Rows {
  readonly places: Uint8Array;
  readonly impacts: Uint8Array;
  readonly sections: Uint32Array;
  readonly paired: Uint8Array;
}

function lookUp(index: SearchIndex, words: readonly KnownWord[], candidates: readonly Candidate[]): Rows {
  const size = candidates.length * words.length;
  const rows = {
    places: new Uint8Array(size),
    impacts: new Uint8Array(size),
    sections: new Uint32Array(size),
    paired: new Uint8Array(size),
  };
  const locate = openLocator(candidates, index.versions.count);
  for (let nth = 0; nth < words.length; nth += 1) {
    const { from = 0, to = 0 } = words[nth] ?? {};
    const positions = locate(index.holders.values.range(from, to));
    const [places, impacts] = [index.places.range(from, to), index.impacts.range(from, to)];
    const sections = index.sections.range(from, to);
    for (let candidate = 0; candidate < positions.length; candidate += 1) {
      const at = positions[candidate] ?? -1;
      if (at === -1) continue;
      const row = candidate * words.length + nth;
      rows.places[row] = places[at] ?? 0;
      rows.impacts[row] = impacts[at] ?? 0;
      rows.sections[row] = sections[at] ?? 0;
    }
  }
  return rows;
}

/** The position of each candidate among the documents of a word, or -1. Valid until the next call. */
type Locator = (documents: SortedSet) => Int32Array;

function openLocator(candidates: readonly Candidate[], count: number): Locator {
  const positions = new Int32Array(candidates.length);
  const order = [...candidates.keys()].sort((a, b) => (candidates[a]?.document ?? 0) - (candidates[b]?.document ?? 0));
  /** For each document, the number of its candidate from 1 on. */
  const numbers = new Uint8Array(count);
  for (const [at, { document }] of candidates.entries()) numbers[document] = at + 1;
  return (documents) => {
    positions.fill(-1);
    if (documents.length < candidates.length * PASSED_OVER) {
      for (let at = 0; at < documents.length; at += 1) {
        const number = numbers[documents[at] ?? 0] ?? 0;
        if (number !== 0) positions[number - 1] = at;
      }
      return positions;
    }
    let low = 0;
    for (const candidate of order) {
      const document = candidates[candidate]?.document ?? 0;
      // Each number is there once, so that a document is never further on than its number is.
      const high = Math.min(documents.length, low + document - (documents[low] ?? document));
      low = firstNotBelow(documents, document, { low, high });
      if (documents[low] === document) positions[candidate] = low;
    }
    return positions;
  };
}

/** Finding a document by halving takes as long as passing over so many. */
const PASSED_OVER = 64;

function sumRarity(codes: SortedSet, index: SearchIndex): number {
  let sum = 0;
  for (const code of codes) sum += rarityOf(index, code);
  return sum;
}
