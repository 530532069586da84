import { expect, test } from 'vitest';

import { renderBreadcrumb, tierNumber, TIERS } from './tiers.ts';

test('the disclosure tiers are none, breadcrumb, catalog, instructions and resource, numbered from 0', () => {
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
])('the breadcrumb of %i skills is %j', (count, text) => {
  expect(renderBreadcrumb(count)).toBe(text);
});
