import { PLACES } from './document.ts';
import { listAt } from './lists.ts';
import { sharedWorth, type KnownWord, type Request } from './request.ts';
import { rarestIn, rarityOf, type SearchIndex } from './search-index.ts';
import type { SortedSet } from './sorted-set.ts';

/** A document and its relevance to a request in plain words. */
export interface Relevance {
  readonly document: number;
  /** More than 0, less than 1. */
  readonly score: number;
  /** The score if the words that no document has are counted, too: at most the score. */
  readonly strength: number;
  /** For each word of the request, its places in the document: bits of `PLACES`. */
  readonly places: Uint8Array;
}

/** Number of candidates that reach the second stage. */
const CLOSE_LOOK = 50;
const WEIGHTS = { covered: 1.33, coveredClosely: 0.27, name: 0.5, closePairs: 0.8, farPairs: 0.15 };

/** The documents that serve a request, best first: by shared words, then by how well those cover it and each other. */
export function rankByRelevance(
  index: SearchIndex,
  { words, pairs, unknown }: Request,
  isWanted?: (document: number) => boolean,
): readonly Relevance[] {
  const candidates = strongest(addImpacts(index, words), CLOSE_LOOK, isWanted);
  const places = findPlaces(index, words, candidates);
  const total = words.reduce((sum, { rarity }) => sum + rarity, 0);
  const totalWithUnknown = total + unknown * rarestIn(index);
  const best = candidates[0]?.score ?? 1;
  return candidates
    .map(({ document, score }, at) => {
      const own = places.subarray(at * words.length, (at + 1) * words.length);
      const { all, close, name } = measureCoverage(words, own);
      const said = name === 0 ? 0 : name / sumRarity(listAt(index.name, document), index);
      const closePairs = sharedWorth(pairs, listAt(index.closePairs, document));
      const farPairs = sharedWorth(pairs, listAt(index.farPairs, document));
      const shared = WEIGHTS.closePairs * closePairs + WEIGHTS.farPairs * farPairs;
      const covered = WEIGHTS.covered * all + WEIGHTS.coveredClosely * close;
      const rest = score / best + WEIGHTS.name * said;
      const sum = rest + (covered + shared) / total;
      const strength = squash(rest + (covered + shared) / totalWithUnknown);
      return { document, score: squash(sum), strength, places: own };
    })
    .sort((a, b) => b.score - a.score || a.document - b.document);
}

/** Which words of the request a document has, and where. */
export function explainRelevance({ words }: Request, places: Uint8Array): readonly string[] {
  return SHOWN_PLACES.map(({ title, isThere }) => ({
    title,
    there: words.filter((_, at) => isThere(places[at] ?? 0)).map(({ spelling }) => spelling),
  }))
    .filter(({ there }) => there.length > 0)
    .map(({ title, there }) => `${title}: ${there.join(', ')}`);
}

const SHOWN_PLACES = [
  { title: 'name', isThere: (places: number) => (places & PLACES.name) !== 0 },
  {
    title: 'description or tags',
    isThere: (places: number) => (places & (PLACES.name | PLACES.close)) === PLACES.close,
  },
  { title: 'instructions', isThere: (places: number) => places === PLACES.far },
];

/** Maps positive numbers to below 1 and keeps their order. */
function squash(value: number): number {
  return value / (1 + value);
}

/** A document with its strength in the first stage. */
interface Candidate {
  readonly document: number;
  readonly score: number;
}

/** The first stage (BM25F): the strength of each document for these words. */
function addImpacts({ versions, holders, impacts }: SearchIndex, words: readonly KnownWord[]): Float32Array {
  const scores = new Float32Array(versions.count);
  for (const { from, to, rarity } of words) {
    const documents = holders.values.range(from, to);
    const strengths = impacts.range(from, to);
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] ?? 0;
      scores[document] = (scores[document] ?? 0) + rarity * (strengths[at] ?? 0);
    }
  }
  return scores;
}

/** The `limit` best, in order. Most documents are weaker than the weakest kept and cost nothing. */
function strongest(
  scores: Float32Array,
  limit: number,
  isWanted: (document: number) => boolean = () => true,
): readonly Candidate[] {
  const best: Candidate[] = [];
  let weakest = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score <= weakest || !isWanted(document)) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
    best.splice(at, 0, { document, score });
    if (best.length > limit) best.pop();
    if (best.length === limit) weakest = best.at(-1)?.score ?? 0;
  }
  return best;
}

/** A row for each candidate, with the places of each word in it. */
function findPlaces(
  { versions, holders, places }: SearchIndex,
  words: readonly KnownWord[],
  candidates: readonly Candidate[],
): Uint8Array {
  const rows = new Uint8Array(candidates.length * words.length);
  const rowOf = new Uint8Array(versions.count);
  for (const [at, { document }] of candidates.entries()) rowOf[document] = at + 1;
  for (const [nth, { from, to }] of words.entries()) {
    const documents = holders.values.range(from, to);
    const own = places.range(from, to);
    for (let at = 0; at < documents.length; at += 1) {
      const row = rowOf[documents[at] ?? 0] ?? 0;
      if (row !== 0) rows[(row - 1) * words.length + nth] = own[at] ?? 0;
    }
  }
  return rows;
}

/** The rarity of the request's words that a document has: anywhere, close to its name, in its name. */
interface Coverage {
  all: number;
  close: number;
  name: number;
}

function measureCoverage(words: readonly KnownWord[], places: Uint8Array): Readonly<Coverage> {
  const coverage: Coverage = { all: 0, close: 0, name: 0 };
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    const rarity = words[at]?.rarity ?? 0;
    if (place !== 0) coverage.all += rarity;
    if ((place & PLACES.close) !== 0) coverage.close += rarity;
    if ((place & PLACES.name) !== 0) coverage.name += rarity;
  }
  return coverage;
}

function sumRarity(codes: SortedSet, index: SearchIndex): number {
  let sum = 0;
  for (const code of codes) sum += rarityOf(index, code);
  return sum;
}
