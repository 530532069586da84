import { judgeRanking } from '../../src/evals/evaluation.ts';
import { fit, rank, type Lesson, type Weights } from './fit.ts';
import { assignFolds, FOLDS, type Lessons } from './lessons.ts';

/** How good weights are at requests that they were not learned from. */
export interface Validation {
  readonly ndcg10: number;
  readonly hit1: number;
  /** Shares of the negatives whose wrong skill comes first, and among the first three. */
  readonly wrongFirst: number;
  readonly wrongAmong3: number;
}

/**
 * Learns five times without a fifth and judges by that fifth: by skill, or by whole repositories, whose skills are then
 * neither answers nor rivals while learning.
 */
export function crossValidate(
  all: Lessons,
  by: 'skill' | 'repository',
  fixed: ReadonlyMap<number, number>,
): Validation {
  const { lessons, repositories } = all;
  const folds = assignFolds(lessons.map((lesson) => lesson[by]));
  const weights = Array.from({ length: FOLDS }, (_, fold) =>
    fit({
      lessons: lessons.filter((lesson) => folds.get(lesson[by]) !== fold),
      isSeen: (document) => by === 'skill' || folds.get(repositories[document] ?? '') !== fold,
      fixed,
    }),
  );
  return judge(all, (lesson) => weights[folds.get(lesson[by]) ?? 0] ?? new Float64Array());
}

/** The figures of all lessons, each ranked with the weights that `choose` gives. */
export function judge(
  { lessons, requests, negatives, entries }: Lessons,
  choose: (lesson: Lesson) => Weights,
): Validation {
  const rankings = lessons.map((lesson) =>
    rank(lesson.example, choose(lesson)).map((document) => entries[document]?.path ?? ''),
  );
  const figures = requests.map(({ gold, ngold }, at) => judgeRanking(rankings[at]?.slice(0, 10) ?? [], gold, ngold));
  const places = negatives.map(({ not }, at) =>
    (rankings[requests.length + at] ?? []).findIndex((path) => not.includes(path)),
  );
  const wrong = (within: number): number =>
    places.filter((place) => place !== -1 && place < within).length / negatives.length;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ndcg10: mean(figures.map(({ ndcg10 }) => ndcg10)),
    hit1: mean(figures.map(({ hit1 }) => hit1)),
    wrongFirst: wrong(1),
    wrongAmong3: wrong(3),
  };
}
