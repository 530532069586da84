import type { SearchDocument } from './document.ts';
import { listAt, packLists, type Lists } from './lists.ts';
import { GONE, mergePostings, packPostings, type Postings } from './postings.ts';
import { isIn, positionIn } from './sorted-set.ts';
import { buildLexicon } from './spelling.ts';
import { listVersions, type Versions } from './versions.ts';
import { codeOf } from './words.ts';

/**
 * An inverted index in a few long arrays of numbers, which are written to a file and opened again as they are.
 * Documents have numbers from 0 on; words are known by their codes.
 */
export interface SearchIndex extends Postings {
  /** For each document, the skill and its version. */
  readonly versions: Versions;
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
  ...packPostings([]),
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
    ...revisePostings(before, documents),
    name: listsOf('name'),
    close: listsOf('close'),
    closePairs: listsOf('closePairs'),
    farPairs: listsOf('farPairs'),
    lexicon: reviseLexicon(before, words),
  };
}

/** The position of a word in `codes`; undefined if no document has it. */
export function wordAt({ codes }: SearchIndex, code: number): number | undefined {
  return positionIn(codes, code);
}

/** Where the documents of a word begin and end among the values of `holders`; nothing for a word that none has. */
export function rangeOf(index: SearchIndex, code: number): readonly [from: number, to: number] {
  const word = wordAt(index, code);
  const { starts } = index.holders;
  return word === undefined ? [0, 0] : [starts[word] ?? 0, starts[word + 1] ?? 0];
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

function revisePostings(before: SearchIndex, documents: readonly NextDocument[]): Postings {
  const kept = new Uint32Array(before.versions.count).fill(GONE);
  const added: SearchDocument[] = [];
  const addedNumbers: number[] = [];
  for (const [number, document] of documents.entries()) {
    if (typeof document === 'number') kept[document] = number;
    else {
      added.push(document);
      addedNumbers.push(number);
    }
  }
  const packed = packPostings(added);
  if (added.length === documents.length) return packed;
  return mergePostings([
    { postings: before, numbers: kept },
    { postings: packed, numbers: Uint32Array.from(addedNumbers) },
  ]);
}

/** A word that is in the index before is in its lexicon; one that no document has any more does no harm there. */
function reviseLexicon(before: SearchIndex, words: Iterable<string>): string {
  const added = [...words].filter((word) => !isIn(before.codes, codeOf(word)));
  if (added.length === 0) return before.lexicon;
  return buildLexicon([...before.lexicon.split('\n'), ...added]);
}
