import { expect, test } from 'vitest';

import { listSome } from './list-some.ts';

test('a short list in a message names all its items', () => {
  expect(listSome(['a', 'b', 'c'], { most: 3 })).toBe('a, b, c');
  expect(listSome([], { most: 3 })).toBe('');
});

test('a long list in a message ends with the number of items that are left out', () => {
  expect(listSome(['a', 'b', 'c', 'd'], { most: 2 })).toBe('a, b and 2 more');
});

test('a long list in a message uses its separator before the number of items that are left out', () => {
  expect(listSome(['a fails', 'b fails', 'c fails'], { most: 1, separator: '; ' })).toBe('a fails; and 2 more');
});
