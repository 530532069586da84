import { FIELDS, type Field, type SearchDocument } from './document.ts';
import { toSortedSet, type SortedSet } from './sorted-set.ts';
import { openSpellingGuide } from './spelling.ts';

/** How much a field counts, and how much its length takes away from that. */
const WEIGHTS: Readonly<Record<Field, { readonly weight: number; readonly length: number }>> = {
  name: { weight: 7, length: 0.3 },
  description: { weight: 2.8, length: 0.6 },
  tags: { weight: 1.75, length: 0.5 },
  headings: { weight: 0.84, length: 0.7 },
  body: { weight: 0.39, length: 0.56 },
};
/** Where more of one word stops counting (k1 of BM25F). */
const SATURATION = 1;

/** A document as numbers: which words it has where, and which stand side by side. */
export interface IndexedDocument {
  readonly name: SortedSet;
  /** The words of name, description and tags; of headings and body. */
  readonly close: SortedSet;
  readonly far: SortedSet;
  readonly closePairs: SortedSet;
  readonly farPairs: SortedSet;
}

/** A document that shares words with a request, and how strongly. */
export interface Candidate {
  readonly document: number;
  readonly score: number;
}

/** An inverted index with the impact of each word on each document computed ahead (BM25F). */
export interface TextIndex {
  readonly documents: readonly IndexedDocument[];
  /** The number of a word; undefined for a word that no document has. */
  idOf(word: string): number | undefined;
  /** The number of the known word that an unknown one may have been meant as. */
  guess(word: string): number | undefined;
  /** How rare each word is, by its number. */
  readonly rarity: Float32Array;
  /** The strongest wanted documents for these words, strongest first. */
  candidates(ids: Iterable<number>, limit: number, isWanted?: (document: number) => boolean): readonly Candidate[];
}

export function buildTextIndex(documents: readonly SearchDocument[]): TextIndex {
  const vocabulary = new Map<string, number>();
  const numbered = documents.map((document) => numberWords(document, vocabulary));
  const postings = collectPostings(numbered, vocabulary.size);
  const rarity = Float32Array.from(postings, ({ ids }) => rarityFor(ids.length, documents.length));
  const scores = new Float32Array(documents.length);
  const spelling = openSpellingGuide(vocabulary, (id) => postings[id]?.ids.length ?? 0);
  return {
    documents: numbered.map(toIndexed),
    idOf: (word) => vocabulary.get(word),
    guess: (word) => spelling.guess(word),
    rarity,
    candidates(words, limit, isWanted) {
      const touched: number[] = [];
      for (const word of words) addScores(postings[word], rarity[word] ?? 0, { scores, touched });
      const best = strongest(isWanted === undefined ? touched : touched.filter(isWanted), scores, limit);
      for (const document of touched) scores[document] = 0;
      return best;
    },
  };
}

/** The key of two neighbouring words; a rare collision costs a little accuracy and nothing else. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ second) >>> 0;
}

type NumberedDocument = Readonly<Record<Field, Uint32Array>>;

function numberWords(document: SearchDocument, vocabulary: Map<string, number>): NumberedDocument {
  const numbers = (field: Field): Uint32Array =>
    Uint32Array.from(document[field], (word) => {
      const known = vocabulary.get(word);
      if (known !== undefined) return known;
      vocabulary.set(word, vocabulary.size);
      return vocabulary.size - 1;
    });
  return {
    name: numbers('name'),
    description: numbers('description'),
    tags: numbers('tags'),
    headings: numbers('headings'),
    body: numbers('body'),
  };
}

function toIndexed({ name, description, tags, headings, body }: NumberedDocument): IndexedDocument {
  return {
    name: toSortedSet(name),
    close: toSortedSet([...name, ...description, ...tags]),
    far: toSortedSet([...headings, ...body]),
    closePairs: toSortedSet([...pairsOf(name), ...pairsOf(description), ...pairsOf(tags)]),
    farPairs: toSortedSet([...pairsOf(headings), ...pairsOf(body)]),
  };
}

function pairsOf(ids: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(Math.max(0, ids.length - 1));
  for (let at = 0; at < pairs.length; at += 1) pairs[at] = pairKey(ids[at] ?? 0, ids[at + 1] ?? 0);
  return pairs;
}

interface Posting {
  readonly ids: number[];
  readonly impacts: number[];
}

function collectPostings(documents: readonly NumberedDocument[], words: number): readonly Posting[] {
  const average = new Map(FIELDS.map((field) => [field, averageLength(documents, field)]));
  const postings = Array.from({ length: words }, (): Posting => ({ ids: [], impacts: [] }));
  const frequencies = new Float64Array(words);
  for (const [id, document] of documents.entries()) {
    const seen: number[] = [];
    for (const field of FIELDS) {
      const { weight, length } = WEIGHTS[field];
      const share = weight / (1 - length + (length * document[field].length) / (average.get(field) || 1));
      for (const word of document[field]) {
        if (frequencies[word] === 0) seen.push(word);
        frequencies[word] = (frequencies[word] ?? 0) + share;
      }
    }
    for (const word of seen) {
      const frequency = frequencies[word] ?? 0;
      postings[word]?.ids.push(id);
      postings[word]?.impacts.push(frequency / (SATURATION + frequency));
      frequencies[word] = 0;
    }
  }
  return postings;
}

function averageLength(documents: readonly NumberedDocument[], field: Field): number {
  return documents.reduce((sum, document) => sum + document[field].length, 0) / Math.max(1, documents.length);
}

function rarityFor(documentsWithWord: number, documents: number): number {
  return Math.log(1 + (documents - documentsWithWord + 0.5) / (documentsWithWord + 0.5));
}

interface Tally {
  readonly scores: Float32Array;
  readonly touched: number[];
}

function addScores(posting: Posting | undefined, rarity: number, { scores, touched }: Tally): void {
  if (posting === undefined) return;
  const { ids, impacts } = posting;
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0;
    if (scores[id] === 0) touched.push(id);
    scores[id] = (scores[id] ?? 0) + rarity * (impacts[at] ?? 0);
  }
}

/** The `limit` best, kept in order while passing over all: most are weaker than the weakest kept and cost nothing. */
function strongest(touched: readonly number[], scores: Float32Array, limit: number): readonly Candidate[] {
  const best: Candidate[] = [];
  for (const document of touched) {
    const score = scores[document] ?? 0;
    const weakest = best.at(-1);
    if (best.length === limit && weakest !== undefined && score <= weakest.score) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
    best.splice(at, 0, { document, score });
    if (best.length > limit) best.pop();
  }
  return best;
}
