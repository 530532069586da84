import { expect, test } from 'vitest';

import { renderBreadcrumb, tierNumber, TIERS } from './tiers.ts';

test('the ladder has the tiers 0 to 3 of seed 002, and resources above them', () => {
  expect(TIERS.map((tier) => [tierNumber(tier), tier])).toEqual([
    [0, 'none'],
    [1, 'breadcrumb'],
    [2, 'catalog'],
    [3, 'instructions'],
    [4, 'resource'],
  ]);
});

test.each([
  [0, ''],
  [1, '[1 skills available]'],
  [12, '[12 skills available]'],
])('the breadcrumb of %i skills', (count, text) => {
  expect(renderBreadcrumb(count)).toBe(text);
});
