import { PLACES, SUPPORTING_PLACES } from '../index/document.ts';
import { listAt } from '../index/lists.ts';
import { MAX_IMPACT } from '../index/read-document.ts';
import { rarityOf, type SearchIndex } from '../index/search-index.ts';
import { positionIn } from '../index/sorted-set.ts';
import type { Candidate } from './candidates.ts';
import { PART_WEIGHTS } from './learned-weights.ts';
import { sharedPairs, type RequestPair } from './request-pairs.ts';
import type { KnownWord, Request } from './request.ts';

/**
 * Everything that a skill has in common with a request, each from 0 to about 1: the strength of shared words; the share of the
 * request's words that it covers, also in its best section; how much of its name is said, and whether all of it; pairs
 * of neighbouring words; then shares of the request by the emphasis of its words: how strongly, anywhere, in the
 * metadata, in the name, in the instructions, beside their neighbours; and those that its author excludes.
 */
export type RelevanceParts = Record<keyof typeof PART_WEIGHTS, number>;

// The keys of a literal are exactly these.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const PARTS = Object.keys(PART_WEIGHTS) as readonly (keyof RelevanceParts)[];

/** A candidate with its parts. */
export interface Measured extends WordRows {
  readonly document: number;
  readonly parts: Readonly<RelevanceParts>;
}

/** The rows of a document for each word of a request. */
interface WordRows {
  /** Bits of `PLACES`. */
  readonly places: Uint8Array;
  readonly impacts: Uint8Array;
  /** Whether the word stands beside a neighbour from the request: bits of `PAIRED`. */
  readonly paired: Uint8Array;
}

/** Beside a neighbour in name, description and tags; in the instructions. */
export const PAIRED = { metadata: 1, instructions: 2 } as const;

export function measureParts(
  index: SearchIndex,
  { words, pairs }: Request,
  candidates: readonly Candidate[],
): readonly Measured[] {
  const totals = {
    rarity: sumOf(words, 'rarity'),
    positionWeight: sumOf(words, 'positionWeight'),
    emphasis: sumOf(words, 'emphasis'),
  };
  const pairTotal = sumOf(pairs, 'rarity');
  const best = candidates[0]?.score ?? 1;
  const holders = words.map(({ from, to }) => index.documents.subarray(from, to));
  return candidates.map(({ document, score }) => {
    const places = new Uint8Array(words.length);
    const impacts = new Uint8Array(words.length);
    const sections = new Uint32Array(words.length);
    for (const [at, { from }] of words.entries()) {
      const position = positionIn(holders[at] ?? NONE, document);
      if (position === undefined) continue;
      places[at] = index.places[from + position] ?? 0;
      impacts[at] = index.impacts[from + position] ?? 0;
      sections[at] = index.sections[from + position] ?? 0;
    }
    const inMetadata = sharedPairs(pairs, listAt(index.metadataPairs, document), places, PLACES.metadata);
    const inInstructions = sharedPairs(pairs, listAt(index.instructionPairs, document), places, PLACES.instructions);
    const paired = new Uint8Array(words.length);
    markWords(paired, inMetadata, PAIRED.metadata);
    markWords(paired, inInstructions, PAIRED.instructions);
    const parts = measureWords(words, { places, impacts, paired }, totals);
    parts.strength = score / best;
    parts.section = bestSection(words, sections) / totals.rarity;
    if (pairTotal > 0) {
      parts.metadataPairs = sumOf(inMetadata, 'rarity') / pairTotal;
      parts.instructionPairs = sumOf(inInstructions, 'positionWeight') / totals.positionWeight;
    }
    if (parts.nameSaid > 0) {
      const name = listAt(index.name, document);
      const said = places.reduce((count, place) => count + Number((place & PLACES.name) !== 0), 0);
      parts.nameSaid /= name.reduce((sum, hash) => sum + rarityOf(index, hash), 0);
      parts.nameWhole = Number(said === name.length && name.length > 1);
    }
    return { document, parts, places, impacts, paired };
  });
}

const NONE = new Uint32Array();

function sumOf<Key extends string>(values: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return values.reduce((sum, value) => sum + value[key], 0);
}

function markWords(paired: Uint8Array, pairs: readonly RequestPair[], bit: number): void {
  for (const { first, second } of pairs) {
    paired[first] = (paired[first] ?? 0) | bit;
    paired[second] = (paired[second] ?? 0) | bit;
  }
}

/** The parts that add up word by word; of `nameSaid` only the numerator. */
function measureWords(
  words: readonly KnownWord[],
  { places, impacts, paired }: WordRows,
  totals: Readonly<Record<'rarity' | 'emphasis', number>>,
): RelevanceParts {
  const parts: RelevanceParts = { ...NO_PARTS };
  for (const [at, { rarity, emphasis }] of words.entries()) {
    const place = places[at] ?? 0;
    if (place === 0) continue;
    const share = emphasis / totals.emphasis;
    if ((place & (PLACES.excluded | PLACES.metadata)) === PLACES.excluded) parts.excluded += share;
    if ((place & SUPPORTING_PLACES) === 0) continue;
    parts.covered += rarity / totals.rarity;
    parts.emphasisCovered += share;
    parts.emphasisStrength += (share * (impacts[at] ?? 0)) / MAX_IMPACT;
    if ((place & PLACES.metadata) !== 0) parts.emphasisMetadata += share;
    if ((place & PLACES.instructions) !== 0) parts.emphasisInstructions += share;
    const pairs = paired[at] ?? 0;
    if ((pairs & PAIRED.metadata) !== 0) parts.emphasisMetadataPairs += share;
    if ((pairs & PAIRED.instructions) !== 0) parts.emphasisInstructionPairs += share;
    if ((place & PLACES.name) === 0) continue;
    parts.emphasisName += share;
    parts.nameSaid += rarity;
  }
  return parts;
}

const NO_PARTS: Readonly<RelevanceParts> = {
  strength: 0,
  covered: 0,
  section: 0,
  nameSaid: 0,
  nameWhole: 0,
  metadataPairs: 0,
  instructionPairs: 0,
  excluded: 0,
  emphasisStrength: 0,
  emphasisCovered: 0,
  emphasisMetadata: 0,
  emphasisName: 0,
  emphasisInstructions: 0,
  emphasisMetadataPairs: 0,
  emphasisInstructionPairs: 0,
};

/** The most rarity that a single section has. `sections` has those of each word, a bit each. */
function bestSection(words: readonly KnownWord[], sections: Uint32Array): number {
  const sums = new Float64Array(32);
  let most = 0;
  for (const [at, { rarity }] of words.entries())
    for (let rest = sections[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const section = 31 - Math.clz32(rest & -rest);
      const sum = (sums[section] ?? 0) + rarity;
      sums[section] = sum;
      if (sum > most) most = sum;
    }
  return most;
}

/** Which words of the request a document has, and where: the places that count most come first. */
export function explainPlaces({ words }: Request, places: Uint8Array): readonly string[] {
  return SHOWN_PLACES.flatMap(({ say, isThere }) => {
    const there = new Set<string>();
    for (const [at, { spelling }] of words.entries()) if (isThere(places[at] ?? 0)) there.add(`"${spelling}"`);
    return there.size === 0 ? [] : [say([...there].join(', ').replace(/, ([^,]*)$/, ' and $1'))];
  });
}

const SHOWN_PLACES = [
  { say: (words: string) => `${words} in its name`, isThere: (places: number) => (places & PLACES.name) !== 0 },
  {
    say: (words: string) => `${words} in its description or tags`,
    isThere: (places: number) => (places & (PLACES.name | PLACES.metadata)) === PLACES.metadata,
  },
  {
    say: (words: string) => `${words} in its instructions`,
    isThere: (places: number) => (places & SUPPORTING_PLACES) === PLACES.instructions,
  },
  {
    say: (words: string) => `its description says it is not for ${words}`,
    isThere: (places: number) => (places & (PLACES.excluded | PLACES.metadata)) === PLACES.excluded,
  },
];
