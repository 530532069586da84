import { expect, test } from 'vitest';

import { parseJson } from './json.ts';

test('parsing text as JSON gives its value, or undefined if it is something else', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('\uFEFF{}')).toEqual({});
  for (const text of ['', '{', 'undefined', '{"a": 1} x']) expect(parseJson(text)).toBeUndefined();
});

test('JSON that is nested more than 500 levels deep counts as unreadable', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(parseJson(nested(500))).toBeDefined();
  expect(parseJson(`{"a": [1, {"b": ${nested(498)}}]}`)).toBeUndefined();
  for (const levels of [501, 20_000, 1_000_000]) expect(parseJson(nested(levels))).toBeUndefined();
  expect(parseJson('['.repeat(1_000_000))).toBeUndefined();
});
