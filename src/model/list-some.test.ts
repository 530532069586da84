import { expect, test } from 'vitest';

import { listSome } from './list-some.ts';

test('lists all items where they are few', () => {
  expect(listSome(['a', 'b', 'c'], { most: 3 })).toBe('a, b, c');
  expect(listSome([], { most: 3 })).toBe('');
});

test('counts the items that it leaves out', () => {
  expect(listSome(['a', 'b', 'c', 'd'], { most: 2 })).toBe('a, b and 2 more');
});

test('repeats another separator before the count', () => {
  expect(listSome(['a fails', 'b fails', 'c fails'], { most: 1, separator: '; ' })).toBe('a fails; and 2 more');
});
