import fc from 'fast-check';
import { expect, test } from 'vitest';

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

test('texts are read as requests are, whatever signs stand between their letters', () => {
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
    { numRuns: 20_000, seed: 20261117 },
  );
  expect(plain).toBeGreaterThan(2_000);
});

test('a word is known again among a hundred thousand others', () => {
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

test('signs between words are exactly those that requests have nothing to fold of, and some of Chinese', () => {
  const chinese = '\u3000、。〈〉《》「」『』【】！（），：；？';
  const points = Array.from({ length: 0x20000 - 128 }, (_, at) => 128 + at);
  const signs = points.filter((point) => {
    const text = String.fromCodePoint(point);
    return countSigns(text.charCodeAt(0), text.charCodeAt(1)) === text.length;
  });
  const plain = points.filter((point) => hasNothingToFold(String.fromCodePoint(point)));
  expect(signs).toEqual([...plain, ...Array.from(chinese, (sign) => sign.codePointAt(0) ?? 0)].sort((a, b) => a - b));
});

test('the words of a text do not depend on the texts before it, and a part of a folded word is not learned', () => {
  const reader = openWordReader();
  expect(reader.codesOf('set-Wörterbuch naïve').length).toBe(3);
  expect(reader.takeLearned()).toEqual(['set', 'worterbuch', 'naiv']);
  expect(reader.codesOf('x\ud83d')).toEqual(wordsOf('x\ud83d').map(codeOf));
});

test('texts that are longer than any message are read to their end', () => {
  const reader = openWordReader();
  for (const text of [
    'word '.repeat(50_000),
    `${'word '.repeat(20_000)}é`,
    `${'x'.repeat(60_000)}é`,
    'ab-'.repeat(60_000),
  ])
    expect(reader.codesOf(text)).toEqual(wordsOf(text).map(codeOf));
});
