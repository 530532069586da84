import { expect, test } from 'vitest';

import { countCodePoints } from './code-points.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['né', 2],
  ['ne\u0301', 3],
  ['😀😀', 2],
  ['👨‍👩‍👧', 5],
  ['\ud800', 1],
])('the characters of %j are counted as the specification does: %i', (text, count) => {
  expect(countCodePoints(text)).toBe(count);
});
