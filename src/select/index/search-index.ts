import { GONE, mergeLists, NO_LISTS, type Lists } from './lists.ts';
import { mergePostings, NO_POSTINGS, type Postings } from './postings.ts';
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
  /** Present if this index is made of two; see `layerIndex`. */
  readonly layer?: IndexLayer | undefined;
}

/** How an index that is made of two differs from one that is kept. */
export interface IndexLayer {
  /** How many documents there are; the other numbers are of documents that are gone. */
  readonly count: number;
  readonly findWord: (code: number) => WordRange | undefined;
  /** The words of the upper one, as those of `SearchIndex.lexicon`. */
  readonly lexicon: string;
}

/** Where the documents of a word begin and end among the values of `holders`, and in how many it is close to the name, and in it. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
  readonly closeHolders: number;
  readonly nameHolders: number;
}

/** Documents of an index, and the number that each gets in the next one, or `GONE`. */
export interface IndexPart {
  readonly documents: IndexedDocuments;
  readonly numbers: Uint32Array;
  /** Called with each column that is not needed any more, to give back its memory. */
  readonly release?: (column: IndexColumn) => void;
}

export type IndexColumn = (typeof LISTS)[number] | 'postings';

/** An index without its versions and words: of it, or of new documents. */
export interface IndexedDocuments extends Postings, Readonly<Record<(typeof LISTS)[number], Lists>> {}

const LISTS = ['name', 'close', 'closePairs', 'farPairs'] as const;

export interface Revision {
  readonly versions: Versions;
  /** Every document of the next index is in one of them. */
  readonly parts: readonly IndexPart[];
  /** The words of the new documents. */
  readonly words: Iterable<string>;
}

export const EMPTY_INDEX: SearchIndex = {
  versions: listVersions([], () => false),
  ...NO_POSTINGS,
  name: NO_LISTS,
  close: NO_LISTS,
  closePairs: NO_LISTS,
  farPairs: NO_LISTS,
  lexicon: '',
};

/** The index of some documents of the one before and some new ones; what stays is copied, not made again. */
export function reviseIndex(before: SearchIndex, { parts, versions, words }: Revision): SearchIndex {
  const used = parts.filter(({ numbers }) => numbers.some((number) => number !== GONE));
  const release = (column: IndexColumn): void => {
    for (const part of parts) part.release?.(column);
  };
  const mergeList = (name: (typeof LISTS)[number]): Lists => {
    const lists = used.map(({ documents, numbers }) => ({ lists: documents[name], numbers }));
    const merged = mergeLists(lists, versions.count);
    release(name);
    return merged;
  };
  const lists = {
    name: mergeList('name'),
    close: mergeList('close'),
    closePairs: mergeList('closePairs'),
    farPairs: mergeList('farPairs'),
  };
  const postings = mergePostings(used.map(({ documents, numbers }) => ({ postings: documents, numbers })));
  release('postings');
  return { versions, ...postings, ...lists, lexicon: reviseLexicon(before, words) };
}

/** Undefined for a word that no document has. */
export function findWord(index: SearchIndex, code: number): WordRange | undefined {
  if (index.layer !== undefined) return index.layer.findWord(code);
  const { codes, holders, closeCounts, nameCounts } = index;
  const word = positionIn(codes, code);
  if (word === undefined) return undefined;
  return {
    from: holders.starts[word] ?? 0,
    to: holders.starts[word + 1] ?? 0,
    closeHolders: closeCounts[word] ?? 0,
    nameHolders: nameCounts[word] ?? 0,
  };
}

/** How many documents the index has. */
export function countDocuments({ layer, versions }: SearchIndex): number {
  return layer?.count ?? versions.count;
}

/** How rare a word is among the documents: near 0 for one that all have. */
export function rarityOf(index: SearchIndex, code: number): number {
  const range = findWord(index, code);
  return rarityIn(index, range === undefined ? 0 : range.to - range.from);
}

/** The rarity of a word that so many documents have. */
export function rarityIn(index: SearchIndex, holders: number): number {
  return Math.log(1 + (countDocuments(index) - holders + 0.5) / (holders + 0.5));
}

/** A word that is in the index before is in its lexicon; one that no document has any more does no harm there. */
function reviseLexicon(before: SearchIndex, words: Iterable<string>): string {
  const added = new Set(words);
  for (const word of added) if (isIn(before.codes, codeOf(word))) added.delete(word);
  if (added.size === 0) return before.lexicon;
  return buildLexicon(new Set([...before.lexicon.split('\n'), ...added]));
}
