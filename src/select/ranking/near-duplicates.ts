import { listAt } from '../index/lists.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { likeness } from '../index/sorted-set.ts';
import type { Relevance } from './relevance.ts';

/** A result and its near duplicates. */
export interface Folded extends Relevance {
  readonly nearDuplicates: readonly number[];
}

/** Skills whose names, descriptions and tags are at least this similar count as copies. The same goes for instructions. */
const NEARLY_THE_SAME = 0.85;
/** Of short descriptions, another name alone makes more of a difference: then the instructions decide. */
const MUCH_THE_SAME = 0.7;
const FEWEST_PAIRS = 5;

export interface FoldDuplicatesOptions {
  /** How many results are wanted. */
  readonly limit: number;
  /** Chooses the representative of two documents: below 0 for the first. Default: the more relevant. */
  readonly compare?: ((a: number, b: number) => number) | undefined;
}

/** Keeps one of several copies of a skill, so that they do not fill the list. It has the score of the best of them. */
export function foldNearDuplicates(
  ranked: readonly Relevance[],
  index: SearchIndex,
  { limit, compare = () => 0 }: FoldDuplicatesOptions,
): readonly Folded[] {
  const groups: Relevance[][] = [];
  for (const relevance of ranked) {
    const group = groups.find(
      ([first]) => first !== undefined && areNearDuplicates(index, relevance.document, first.document),
    );
    if (group !== undefined) group.push(relevance);
    else if (groups.length < limit) groups.push([relevance]);
    else break;
  }
  return groups.flatMap((group) => {
    const [best] = group;
    const [chosen, ...others] = group.toSorted((a, b) => compare(a.document, b.document));
    if (best === undefined || chosen === undefined) return [];
    const { sum, score } = best;
    return [{ ...chosen, sum, score, nearDuplicates: others.map(({ document }) => document) }];
  });
}

function areNearDuplicates({ metadata, instructionPairs }: SearchIndex, one: number, other: number): boolean {
  const [words, others] = [listAt(metadata, one), listAt(metadata, other)];
  // Sets of such different sizes cannot have enough in common, whatever is in them.
  if (Math.min(words.length, others.length) / Math.max(words.length, others.length) < MUCH_THE_SAME) return false;
  const shared = likeness(words, others);
  if (shared >= NEARLY_THE_SAME || shared < MUCH_THE_SAME) return shared >= NEARLY_THE_SAME;
  const pairs = listAt(instructionPairs, one);
  return pairs.length >= FEWEST_PAIRS && likeness(pairs, listAt(instructionPairs, other)) >= NEARLY_THE_SAME;
}
