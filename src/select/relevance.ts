import { isIn, type SortedSet } from './sorted-set.ts';
import { pairKey, type Candidate, type IndexedDocument, type TextIndex } from './text-index.ts';
import { spellingsOf, wordsOf } from './words.ts';

/** A document with how well it serves a request in plain words: more than 0, less than 1. */
export interface Relevance {
  readonly document: number;
  readonly score: number;
}

/** How many of the first stage are looked at closely. */
const CLOSE_LOOK = 50;
const WEIGHTS = { covered: 1.33, coveredClosely: 0.27, name: 0.5, closePairs: 0.8, farPairs: 0.15 };
/** A request longer than this is cut: what it is about stands at its beginning. */
const REQUEST_CHARACTERS = 8_000;

/** The documents that serve a request, best first: by shared words, then by how well those cover it and each other. */
export function rankByRelevance(
  index: TextIndex,
  request: string,
  isWanted?: (document: number) => boolean,
): readonly Relevance[] {
  const query = readQuery(index, request);
  const candidates = index.candidates(query.words, CLOSE_LOOK, isWanted);
  const strongest = candidates[0]?.score ?? 1;
  return candidates
    .map((candidate) => ({ document: candidate.document, score: squash(lookClosely(candidate, query, strongest)) }))
    .sort((a, b) => b.score - a.score || a.document - b.document);
}

/** Says of a document which words of the request it has, and where. */
export function openExplanation(index: TextIndex, request: string): (document: number) => readonly string[] {
  const asked = request.slice(0, REQUEST_CHARACTERS);
  const spellings = spellingsOf(asked);
  const stems = wordsOf(asked);
  const ids = numberWords(index, stems);
  const known = new Map(stems.flatMap((stem, at) => (ids[at] === undefined ? [] : [[stem, ids[at]] as const])));
  const words = [...known].map(([stem, id]) => ({ word: spellings.get(stem) ?? stem, id }));
  return (document) => {
    const indexed = index.documents[document];
    return indexed === undefined ? [] : describePlaces(indexed, words);
  };
}

interface SpelledWord {
  readonly word: string;
  readonly id: number;
}

function describePlaces({ name, close, far }: IndexedDocument, words: readonly SpelledWord[]): readonly string[] {
  const places = [
    { place: 'name', isThere: (id: number) => isIn(name, id) },
    { place: 'description or tags', isThere: (id: number) => isIn(close, id) && !isIn(name, id) },
    { place: 'instructions', isThere: (id: number) => isIn(far, id) && !isIn(close, id) },
  ];
  return places
    .map(({ place, isThere }) => ({ place, there: words.filter(({ id }) => isThere(id)).map(({ word }) => word) }))
    .filter(({ there }) => there.length > 0)
    .map(({ place, there }) => `${place}: ${there.join(', ')}`);
}

/** Any positive number to one below 1, in the same order. */
function squash(value: number): number {
  return value / (1 + value);
}

interface Query {
  readonly index: TextIndex;
  /** Each known word once. */
  readonly words: ReadonlySet<number>;
  /** Neighbouring words with what a shared pair is worth. */
  readonly pairs: ReadonlyMap<number, number>;
  readonly total: number;
}

function readQuery(index: TextIndex, request: string): Query {
  const ids = numberWords(index, wordsOf(request.slice(0, REQUEST_CHARACTERS)));
  const pairs = new Map<number, number>();
  for (const [at, id] of ids.entries()) {
    const next = ids[at + 1];
    if (id !== undefined && next !== undefined) {
      pairs.set(pairKey(id, next), (index.rarity[id] ?? 0) + (index.rarity[next] ?? 0));
    }
  }
  const words = new Set(ids.filter((id) => id !== undefined));
  return { index, words, pairs, total: sumRarity(words, index) || 1 };
}

/** The numbers of the words; in a short request, where each word matters, slips and beginnings are forgiven. */
function numberWords(index: TextIndex, words: readonly string[]): readonly (number | undefined)[] {
  const isShort = words.length <= FORGIVING_WORDS;
  return words.map((word) => index.idOf(word) ?? (isShort ? index.guess(word) : undefined));
}

const FORGIVING_WORDS = 12;

function lookClosely({ document, score }: Candidate, query: Query, strongest: number): number {
  const { index, total } = query;
  const indexed = index.documents[document];
  if (indexed === undefined) return 0;
  const { close, all } = coverage(indexed, query);
  return (
    score / strongest +
    (WEIGHTS.covered * all) / total +
    (WEIGHTS.coveredClosely * close) / total +
    WEIGHTS.name * nameCoverage(indexed.name, query) +
    (WEIGHTS.closePairs * sharedPairs(indexed.closePairs, query)) / total +
    (WEIGHTS.farPairs * sharedPairs(indexed.farPairs, query)) / total
  );
}

function coverage(
  { close, far }: IndexedDocument,
  { index, words }: Query,
): { readonly close: number; readonly all: number } {
  const sum = { close: 0, all: 0 };
  for (const word of words) {
    const rarity = index.rarity[word] ?? 0;
    const isClose = isIn(close, word);
    if (isClose) sum.close += rarity;
    if (isClose || isIn(far, word)) sum.all += rarity;
  }
  return sum;
}

/** How much of a skill's own name the request says. */
function nameCoverage(name: SortedSet, { index, words }: Query): number {
  const said = name.filter((word) => words.has(word));
  return said.length === 0 ? 0 : sumRarity(said, index) / sumRarity(name, index);
}

function sharedPairs(pairs: SortedSet, query: Query): number {
  let sum = 0;
  for (const [pair, worth] of query.pairs) if (isIn(pairs, pair)) sum += worth;
  return sum;
}

function sumRarity(words: Iterable<number>, index: TextIndex): number {
  let sum = 0;
  for (const word of words) sum += index.rarity[word] ?? 0;
  return sum;
}
