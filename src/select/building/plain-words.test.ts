import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { codeOf, hasNothingToFold, wordsOf } from '../index/words.ts';
import { NumberList } from './number-list.ts';
import { countSigns } from './signs.ts';
import { openWordReader } from './word-reader.ts';

const PIECES = ['c', 'C', 'f', 'net', 'NET', 'Net', 'js', 'JS', 'Js', 'jS', 'node', 'nodeJs', 'x2', 'Xy', 'the', '1'];
const SIGNS =
  `. # + ++ _ - → 😀 ≥ ❶ é ø 表格 写 ｆ ½ … ‥ ： ， 。 （ 《 々 の ガ 한국 Σ й ㌖ ß ﬁ ™ \u0301 \u3000 \u00a0`.split(
    ' ',
  );
const BLANKS = [' ', '\n', '\t', '', ''];

test('skill texts are split into the same words as requests, whatever signs are between the letters', () => {
  const reader = openWordReader();
  const pieces = fc
    .array(fc.constantFrom(...PIECES, ...SIGNS, ...BLANKS), { maxLength: 12 })
    .map((texts) => texts.join(''));
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(pieces, fc.string({ unit: 'binary' })), (text) => {
      plain += Number(hasNothingToFold(text));
      expect(reader.codesOf(text)).toEqual(wordsOf(text).map(codeOf));
    }),
    { numRuns: propertyRuns(20_000), seed: 20261117 },
  );
  expect(plain).toBeGreaterThan(propertyRuns(2_000));
});

test('the word reader recognizes a word among 100,000 others', () => {
  const reader = openWordReader();
  const words = Array.from({ length: 100_000 }, (_, number) => `w${number.toString(36)}x`);
  const first = new NumberList();
  const again = new NumberList();
  reader.read(words.join(' '), first);
  reader.read(words.join('/'), again);
  expect(again.copy()).toEqual(first.copy());
  expect(first.length).toBe(words.length);
  expect(reader.numbers.count).toBe(new Set(words.map(codeOf)).size);
});

test('the word reader separates words at exactly the signs that requests do, plus Chinese punctuation', () => {
  const chinese = '\u3000、。〈〉《》「」『』【】！（），：；？';
  const points = Array.from({ length: 0x20000 - 128 }, (_, at) => 128 + at);
  const signs = points.filter((point) => {
    const text = String.fromCodePoint(point);
    return countSigns(text.charCodeAt(0), text.charCodeAt(1)) === text.length;
  });
  const plain = points.filter((point) => hasNothingToFold(String.fromCodePoint(point)));
  expect(signs).toEqual([...plain, ...Array.from(chinese, (sign) => sign.codePointAt(0) ?? 0)].sort((a, b) => a - b));
});

test('the word reader gives a text the same words, whatever texts it read before', () => {
  const reader = openWordReader();
  expect(reader.codesOf('set-Wörterbuch naïve').length).toBe(3);
  expect(reader.takeLearned()).toEqual(['set', 'worterbuch', 'naiv']);
  expect(reader.codesOf('x\ud83d')).toEqual(wordsOf('x\ud83d').map(codeOf));
});

test('the word reader reads very long texts to their end', () => {
  const reader = openWordReader();
  for (const text of [
    'word '.repeat(50_000),
    `${'word '.repeat(20_000)}é`,
    `${'x'.repeat(60_000)}é`,
    'ab-'.repeat(60_000),
  ])
    expect(reader.codesOf(text)).toEqual(wordsOf(text).map(codeOf));
});
