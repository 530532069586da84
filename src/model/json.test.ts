import { expect, test } from 'vitest';

import { parseJson } from './json.ts';

test('parsing text as JSON gives its value, or undefined if it is something else', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('\uFEFF{}')).toEqual({});
  for (const text of ['', '{', 'undefined', '{"a": 1} x']) expect(parseJson(text)).toBeUndefined();
});

test('JSON that is nested a million levels deep does no harm', () => {
  expect(parseJson('['.repeat(1_000_000))).toBeUndefined();
  expect(Array.isArray(parseJson('['.repeat(1_000_000) + ']'.repeat(1_000_000)))).toBe(true);
});
