import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { encodeJson } from './encode.ts';
import { encodeLongJson, hasLongList } from './long-json.ts';

function encode(value: object): string {
  return Buffer.concat([...encodeLongJson(value)]).toString();
}

describe('JSON with a long list, written in chunks', () => {
  test('is byte for byte the same as in one piece', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\x7f', '\u202e', 'a\u200bb', '\u{E0041}', '😀', '表格', '\ud800', '\u2028', '"\\n'),
    );
    const item = fc.oneof(
      text,
      fc.record({ a: text, b: fc.array(text), c: fc.constant(undefined) }),
      fc.constant(null),
    );
    const value = fc.dictionary(text, fc.oneof(fc.array(item), text, fc.constant(undefined), fc.integer()));
    fc.assert(
      fc.property(value, (document) => {
        expect(encode(document)).toBe(encodeJson(document));
      }),
      { numRuns: 500, seed: 20261115 },
    );
  });

  test('may be larger than a chunk, as may a single item', () => {
    const skills = Array.from({ length: 2_000 }, (_, at) => ({
      name: `s${at}`,
      text: at % 3 === 0 ? 'é'.repeat(at) : 'e',
    }));
    const document = { skills, large: '\x7f'.repeat(300_000), many: ['x'.repeat(600_000)] };
    expect(encode(document)).toBe(encodeJson(document));
    expect([...encodeLongJson(document)].length).toBeGreaterThan(3);
  });

  test('is used only for objects with a long list', () => {
    const long = Array.from({ length: 500 }, () => 0);
    expect([{ a: long }, { a: [] }, long, null, 'text', new Date(0)].map(hasLongList)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
