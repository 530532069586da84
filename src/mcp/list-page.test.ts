import fc from 'fast-check';
import { expect, test } from 'vitest';

import { listPage } from './list-page.ts';

const keyOf = (name: string): string => name;

function walk(items: readonly string[], size: number): readonly string[] {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = listPage(items, cursor, { size, keyOf });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

test('walking all pages of an MCP list gives every item once and in order, whatever the names', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 7 }), (names, size) => {
      const items = names.filter((name) => name.isWellFormed()).sort();
      expect(walk(items, size)).toEqual(items);
    }),
    { seed: 20_261_115 },
  );
});

test('the last page of an MCP list has no cursor, even if it is full', () => {
  expect(listPage(['a', 'b'], undefined, { size: 2, keyOf })).toEqual({ items: ['a', 'b'] });
  expect(listPage([], undefined, { size: 2, keyOf })).toEqual({ items: [] });
});

test('removing an item between two pages of an MCP list neither repeats nor skips the others', () => {
  const { nextCursor } = listPage(['a', 'b', 'c', 'd'], undefined, { size: 2, keyOf });
  expect(listPage(['a', 'c', 'd'], nextCursor, { size: 2, keyOf }).items).toEqual(['c', 'd']);
  expect(listPage(['a'], nextCursor, { size: 2, keyOf }).items).toEqual([]);
});

test.each(['', 'x', '!!!', 'Zm9v', '../..'])('an MCP list refuses the invalid cursor "%s"', (cursor) => {
  expect(() => listPage(['a'], cursor, { size: 1, keyOf })).toThrow('Invalid cursor');
});
