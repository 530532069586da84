import fc from 'fast-check';
import { expect, test } from 'vitest';

import { codeOf, hasNothingToFold, wordsOf } from '../index/words.ts';
import { NumberList } from './number-list.ts';
import { openWordReader } from './word-reader.ts';

const PIECES = ['c', 'C', 'f', 'net', 'NET', 'Net', 'js', 'JS', 'Js', 'jS', 'node', 'nodeJs', 'x2', 'Xy', 'the', '1'];
const SIGNS = [
  '.',
  '#',
  '+',
  '++',
  '_',
  '-',
  ' ',
  '\n',
  '→',
  '😀',
  '≥',
  '❶',
  'é',
  'ø',
  '表格',
  'ｆ',
  '½',
  '\u0301',
  '',
  '',
];

test('texts are read as requests are, whatever signs stand between their letters', () => {
  const reader = openWordReader();
  const pieces = fc.array(fc.constantFrom(...PIECES, ...SIGNS), { maxLength: 12 }).map((texts) => texts.join(''));
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
