import type { JudgedRequest, RankingFigures } from './evaluation.ts';

/** A figure of two runs over the same requests, and how far chance could explain the difference. */
export interface ComparedFigure {
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95% confidence interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** Chance could explain it: the interval holds 0. */
  readonly isNoise: boolean;
}

export interface EvalComparison {
  readonly requests: number;
  readonly figures: Readonly<Record<keyof RankingFigures, ComparedFigure>>;
  /** Requests whose right skills rank higher or lower than before, the largest change of nDCG@10 first. */
  readonly better: readonly string[];
  readonly worse: readonly string[];
}

/** Compares two runs request by request. The same runs always give the same intervals. */
export function compareRuns(before: readonly JudgedRequest[], after: readonly JudgedRequest[]): EvalComparison {
  const compare = (field: keyof RankingFigures): ComparedFigure =>
    compareFigure(
      before.map((one) => one[field]),
      after.map((one) => one[field]),
    );
  const changes = after
    .map(({ query, ndcg10 }, at) => ({ query, change: ndcg10 - (before[at]?.ndcg10 ?? 0) }))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  return {
    requests: after.length,
    figures: {
      hit1: compare('hit1'),
      recall5: compare('recall5'),
      recall10: compare('recall10'),
      mrr: compare('mrr'),
      ndcg10: compare('ndcg10'),
    },
    better: changes.filter(({ change }) => change > 0).map(({ query }) => query),
    worse: changes.filter(({ change }) => change < 0).map(({ query }) => query),
  };
}

const RESAMPLES = 2_000;
/** Of the resampled differences, so many are left out at each end. */
const TAIL = 0.025;

/** A paired bootstrap: the same requests are drawn for both runs. */
function compareFigure(before: readonly number[], after: readonly number[]): ComparedFigure {
  const differences = after.map((figure, at) => figure - (before[at] ?? 0));
  const next = openRandom();
  const resampled = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < differences.length; drawn += 1)
      sum += differences[Math.floor(next() * differences.length)] ?? 0;
    return sum / differences.length;
  }).sort();
  const low = resampled[Math.floor(TAIL * RESAMPLES)] ?? 0;
  const high = resampled[Math.ceil((1 - TAIL) * RESAMPLES) - 1] ?? 0;
  return {
    before: mean(before),
    after: mean(after),
    difference: mean(differences),
    low,
    high,
    isNoise: low <= 0 && high >= 0,
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Numbers from 0 to 1, always the same ones (mulberry32). */
function openRandom(): () => number {
  let state = 20_261_117;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
