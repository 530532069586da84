import { listAt } from '../index/lists.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { likeness } from '../index/sorted-set.ts';
import type { Relevance } from './relevance.ts';

/** A result that stands for itself and for others that are nearly the same. */
export interface Folded extends Relevance {
  readonly twins: readonly number[];
}

/** Skills at least this similar count as copies. */
const NEARLY_THE_SAME = 0.85;

export interface TwinOptions {
  /** How many results are wanted. */
  readonly limit: number;
  /** Which of two documents should stand for both: below 0 for the first. Default: the more relevant one. */
  readonly compare?: ((a: number, b: number) => number) | undefined;
}

/** Keeps one of several copies of a skill, so that they do not fill the list. It has the score of the best of them. */
export function foldTwins(
  ranked: readonly Relevance[],
  { close }: SearchIndex,
  { limit, compare = () => 0 }: TwinOptions,
): readonly Folded[] {
  const groups: Relevance[][] = [];
  for (const relevance of ranked) {
    const words = listAt(close, relevance.document);
    const group = groups.find(
      ([first]) => first !== undefined && likeness(words, listAt(close, first.document)) >= NEARLY_THE_SAME,
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
    return [{ ...chosen, sum, score, twins: others.map(({ document }) => document) }];
  });
}
