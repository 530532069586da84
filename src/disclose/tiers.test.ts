import { expect, test } from 'vitest';

import { renderBreadcrumb, TIERS } from './tiers.ts';

test('the disclosure tiers are none, breadcrumb, catalog, instructions and resource', () => {
  expect(TIERS).toEqual(['none', 'breadcrumb', 'catalog', 'instructions', 'resource']);
});

test.each([
  [0, ''],
  [1, '[1 skills available]'],
  [12, '[12 skills available]'],
])('the breadcrumb of %i skills is %j', (count, text) => {
  expect(renderBreadcrumb(count)).toBe(text);
});
