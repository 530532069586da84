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

/** Documents, and the number that each gets in the next index, or `GONE`. */
export interface IndexPart<Documents> {
  readonly documents: Documents;
  readonly numbers: Uint32Array;
  /** Called when the documents are not needed any more, to give back their memory. */
  readonly release?: () => void;
}

/** The lists of an index, one for each document. */
export type DocumentLists = Pick<SearchIndex, 'name' | 'close' | 'closePairs' | 'farPairs'>;

export interface Revision {
  readonly versions: Versions;
  /** Every document of the next index is in one of each. */
  readonly lists: readonly IndexPart<DocumentLists>[];
  readonly postings: readonly IndexPart<Postings>[];
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
export function reviseIndex(before: SearchIndex, { lists, postings, versions, words }: Revision): SearchIndex {
  const own = lists.filter(isUsed);
  const mergeList = (name: keyof DocumentLists): Lists =>
    mergeLists(
      own.map(({ documents, numbers }) => ({ lists: documents[name], numbers })),
      versions.count,
    );
  const merged = {
    name: mergeList('name'),
    close: mergeList('close'),
    closePairs: mergeList('closePairs'),
    farPairs: mergeList('farPairs'),
    ...mergePostings(postings.filter(isUsed).map(({ documents, numbers }) => ({ postings: documents, numbers }))),
  };
  for (const { release } of postings) release?.();
  return { versions, ...merged, lexicon: reviseLexicon(before, words) };
}

function isUsed({ numbers }: IndexPart<unknown>): boolean {
  return numbers.some((number) => number !== GONE);
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
