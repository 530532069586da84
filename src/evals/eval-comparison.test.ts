import { expect, test } from 'vitest';

import { compareRuns } from './eval-comparison.ts';
import { judgeRanking, type JudgedRequest } from './evaluation.ts';

/** A run in which the right skill has these places, from 1; 0 if it was not found. */
function run(...places: readonly number[]): readonly JudgedRequest[] {
  return places.map((place, at) => {
    const found = Array.from({ length: Math.max(0, place - 1) }, (_, nth) => `other-${nth}`);
    return { query: `request ${at}`, ...judgeRanking(place === 0 ? found : [...found, 'right'], ['right']) };
  });
}

const repeat = (place: number, times: number): readonly number[] => Array.from({ length: times }, () => place);

test('an eval comparison calls a difference in many requests significant', () => {
  const { figures, better, worse, requests } = compareRuns(
    run(...repeat(2, 20), ...repeat(1, 10)),
    run(...repeat(1, 20), ...repeat(1, 10)),
  );
  expect(requests).toBe(30);
  expect(figures.hit1).toMatchObject({ after: 1, isNoise: false });
  expect(figures.hit1.difference).toBeCloseTo(2 / 3);
  expect(figures.hit1.low).toBeGreaterThan(0.4);
  expect(figures.hit1.high).toBeLessThan(0.9);
  expect([better.length, worse.length]).toEqual([20, 0]);
});

test('an eval comparison calls a difference in a single request, or none, noise', () => {
  const [before, after] = [run(2, ...repeat(1, 30)), run(...repeat(1, 31))];
  expect(compareRuns(before, after).figures.hit1).toMatchObject({ isNoise: true });
  expect(compareRuns(before, before).figures.ndcg10).toMatchObject({ difference: 0, low: 0, high: 0, isNoise: true });
  expect(compareRuns(run(1, 2, 0), run(0, 1, 2))).toMatchObject({
    better: ['request 2', 'request 1'],
    worse: ['request 0'],
  });
});

test('an eval comparison is deterministic and symmetric', () => {
  const [before, after] = [run(1, 2, 3, 0, 1, 5), run(2, 1, 1, 1, 1, 4)];
  expect(compareRuns(before, after)).toEqual(compareRuns(before, after));
  const [there, back] = [compareRuns(before, after).figures.mrr, compareRuns(after, before).figures.mrr];
  expect(back.difference).toBeCloseTo(-there.difference);
  expect(there.low).toBeLessThanOrEqual(there.difference);
  expect(there.high).toBeGreaterThanOrEqual(there.difference);
});
