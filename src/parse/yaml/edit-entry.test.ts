import { expect, test } from 'vitest';
import type { Document } from 'yaml';

import { editEntry } from './edit-entry.ts';

const set =
  (value: unknown) =>
  (document: Document): void =>
    document.setIn(['mine', 'a'], value);

test.each([
  ['that exists', 'x:   1 # one\nmine:\n  a: 1 # why\ny: [ 2 ]\n', 'x:   1 # one\nmine:\n  a: 5 # why\ny: [ 2 ]\n'],
  ['that is missing', 'x: {b:  1}\n', 'x: {b:  1}\nmine:\n  a: 5\n'],
  ['in an empty text', '', 'mine:\n  a: 5\n'],
  ['behind a text without a line end', 'x: 1', 'x: 1\nmine:\n  a: 5\n'],
  ['with CRLF', 'x: 1\r\nmine:\r\n  a: 1\r\n# y\r\ny: 2\r\n', 'x: 1\r\nmine:\r\n  a: 5\r\n# y\r\ny: 2\r\n'],
])('editing a YAML entry %s changes only that entry and keeps the other bytes', (_, text, expected) => {
  expect(editEntry(text, 'mine', set(5))).toBe(expected);
});

test('editing a YAML entry that shares its line with others keeps how its brackets are written', () => {
  expect(editEntry('{x: 1, mine: {a: 1}}\n', 'mine', set(5))).toBe('{x: 1, mine: {a: 5}}\n');
});

test('editing a YAML entry is refused if it would change another entry or lose a comment', () => {
  const text = 'x: 1\nmine:\n  a: 1\n  b: 2 # why\n';
  expect(editEntry(text, 'mine', (document) => document.set('x', 2))).toBeUndefined();
  expect(editEntry(text, 'mine', (document) => document.deleteIn(['mine', 'b']))).toBeUndefined();
});
