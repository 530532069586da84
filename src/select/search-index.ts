import { MemoryColumn, wholeOf, type Column } from './column.ts';
import type { SearchDocument } from './document.ts';
import { listAt, packLists, type Lists } from './lists.ts';
import { isIn, positionIn } from './sorted-set.ts';
import { buildLexicon } from './spelling.ts';
import { listVersions, type Versions } from './versions.ts';
import { codeOf } from './words.ts';

/**
 * An inverted index in a few long arrays of numbers, which are written to a file and opened again as they are.
 * Documents have numbers from 0 on; words are known by their codes.
 */
export interface SearchIndex {
  /** For each document, the skill and its version. */
  readonly versions: Versions;
  /** Every word's code, sorted. */
  readonly codes: Uint32Array;
  /** For each word, in the order of `codes`, the documents that have it. */
  readonly holders: Lists;
  /** For each value of `holders`: how strongly that document speaks of the word, and where. */
  readonly impacts: Column<Uint8Array>;
  readonly places: Column<Uint8Array>;
  /** For each document: sorted codes of its name, of its name, description and tags, and keys of word pairs. */
  readonly name: Lists;
  readonly close: Lists;
  readonly closePairs: Lists;
  readonly farPairs: Lists;
  /** The words themselves, a line each, sorted: for guessing what a word that is unknown was meant as. */
  readonly lexicon: string;
}

/** A document of the next index: a new one, or the number that it has in the index before. */
export type NextDocument = number | SearchDocument;

export interface Revision {
  readonly documents: readonly NextDocument[];
  readonly versions: Versions;
  /** The words of the new documents. */
  readonly words: Iterable<string>;
}

export const EMPTY_INDEX: SearchIndex = {
  versions: listVersions([], () => false),
  codes: new Uint32Array(),
  holders: packLists([]),
  impacts: new MemoryColumn(new Uint8Array()),
  places: new MemoryColumn(new Uint8Array()),
  name: packLists([]),
  close: packLists([]),
  closePairs: packLists([]),
  farPairs: packLists([]),
  lexicon: '',
};

/** The index of some documents of the one before and some new ones; what stays is copied, not made again. */
export function reviseIndex(before: SearchIndex, { documents, versions, words }: Revision): SearchIndex {
  const listsOf = (column: 'name' | 'close' | 'closePairs' | 'farPairs'): Lists =>
    packLists(documents.map((next) => (typeof next === 'number' ? listAt(before[column], next) : next[column])));
  return {
    versions,
    ...collectPostings(before, documents),
    name: listsOf('name'),
    close: listsOf('close'),
    closePairs: listsOf('closePairs'),
    farPairs: listsOf('farPairs'),
    lexicon: reviseLexicon(before, words),
  };
}

/** Where the documents of a word begin and end among the values of `holders`; nothing for a word that none has. */
export function rangeOf({ codes, holders }: SearchIndex, code: number): readonly [from: number, to: number] {
  const word = positionIn(codes, code);
  return word === undefined ? [0, 0] : [holders.starts[word] ?? 0, holders.starts[word + 1] ?? 0];
}

/** How rare a word is among the documents: near 0 for one that all have. */
export function rarityOf(index: SearchIndex, code: number): number {
  const [from, to] = rangeOf(index, code);
  return Math.log(1 + (index.versions.count - (to - from) + 0.5) / (to - from + 0.5));
}

/** The rarity of a word that no document has. */
export function rarestIn({ versions }: SearchIndex): number {
  return Math.log(1 + (versions.count + 0.5) / 0.5);
}

type Postings = Pick<SearchIndex, 'codes' | 'holders' | 'impacts' | 'places'>;

function collectPostings(before: SearchIndex, documents: readonly NextDocument[]): Postings {
  const renumbered = renumber(before, documents);
  const counts = countHolders(before, renumbered, documents);
  const codes = Uint32Array.from(counts.keys()).sort();
  const starts = new Uint32Array(codes.length + 1);
  const next = new Map<number, number>();
  for (const [word, code] of codes.entries()) {
    next.set(code, starts[word] ?? 0);
    starts[word + 1] = (starts[word] ?? 0) + (counts.get(code) ?? 0);
  }
  const total = starts[codes.length] ?? 0;
  const values = new Uint32Array(total);
  const impacts = new Uint8Array(total);
  const places = new Uint8Array(total);
  const known = {
    holders: wholeOf(before.holders.values),
    impacts: wholeOf(before.impacts),
    places: wholeOf(before.places),
  };
  for (const [word, code] of before.codes.entries()) {
    let at = next.get(code) ?? 0;
    for (let from = before.holders.starts[word] ?? 0; from < (before.holders.starts[word + 1] ?? 0); from += 1) {
      const document = renumbered[known.holders[from] ?? 0] ?? GONE;
      if (document === GONE) continue;
      values[at] = document;
      impacts[at] = known.impacts[from] ?? 0;
      places[at] = known.places[from] ?? 0;
      at += 1;
    }
    if (next.has(code)) next.set(code, at);
  }
  for (const [number, document] of documents.entries()) {
    if (typeof document === 'number') continue;
    for (const [nth, code] of document.words.entries()) {
      const at = next.get(code) ?? 0;
      values[at] = number;
      impacts[at] = document.impacts[nth] ?? 0;
      places[at] = document.places[nth] ?? 0;
      next.set(code, at + 1);
    }
  }
  return {
    codes,
    holders: { starts, values: new MemoryColumn(values) },
    impacts: new MemoryColumn(impacts),
    places: new MemoryColumn(places),
  };
}

const GONE = 0xffffffff;

/** The new number of each document of the index before. */
function renumber(before: SearchIndex, documents: readonly NextDocument[]): Uint32Array {
  const numbers = new Uint32Array(before.versions.count).fill(GONE);
  for (const [number, document] of documents.entries()) if (typeof document === 'number') numbers[document] = number;
  return numbers;
}

function countHolders(
  { codes, holders }: SearchIndex,
  renumbered: Uint32Array,
  documents: readonly NextDocument[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const [word, code] of codes.entries()) {
    let count = 0;
    for (const holder of listAt(holders, word)) if (renumbered[holder] !== GONE) count += 1;
    if (count > 0) counts.set(code, count);
  }
  for (const document of documents) {
    if (typeof document === 'number') continue;
    for (const code of document.words) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

/** A word that is in the index before is in its lexicon; one that no document has any more does no harm there. */
function reviseLexicon(before: SearchIndex, words: Iterable<string>): string {
  const added = [...words].filter((word) => !isIn(before.codes, codeOf(word)));
  if (added.length === 0) return before.lexicon;
  return buildLexicon([...before.lexicon.split('\n'), ...added]);
}
