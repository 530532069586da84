import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { languageOf } from './languages.ts';
import { openWordHasher, type WordHasher } from './word-hasher.ts';
import { hashWord, wordsOf } from './words.ts';

const PIECES = ['c', 'C', 'f', 'net', 'NET', 'Net', 'js', 'JS', 'Js', 'jS', 'node', 'nodeJs', 'x2', 'Xy', 'the', '1'];
const SIGNS =
  `. # + ++ _ - → 😀 ≥ ❶ é ø 表格 写 ｆ ½ … ‥ ： ， 。 （ 《 々 の ガ 한국 Σ й ㌖ ß ﬁ ™ \u0301 \u3000 \u00a0`.split(
    ' ',
  );
const BLANKS = [' ', '\n', '\t', '', ''];

const hashesOf = (hasher: WordHasher, text: string): readonly number[] => hasher.hash(text, languageOf(text)).hashes;

test('skill texts are split into the same words as requests, whatever signs are between the letters', () => {
  const hasher = openWordHasher();
  const pieces = fc
    .array(fc.constantFrom(...PIECES, ...SIGNS, ...BLANKS), { maxLength: 12 })
    .map((texts) => texts.join(''));
  fc.assert(
    fc.property(fc.oneof(pieces, fc.string({ unit: 'binary' })), (text) => {
      expect(hashesOf(hasher, text)).toEqual(wordsOf(text).map(hashWord));
    }),
    { numRuns: propertyRuns(5_000), seed: 20261117 },
  );
});

test('the word hasher lists the words that it hashed, as the index spells them', () => {
  const hasher = openWordHasher();
  hasher.hash('set-Wörterbuch naïve 表格 set');
  expect([...hasher.words]).toEqual(['set', 'worterbuch', 'naiv']);
});

test('a word of another language has two hashes and counts once', () => {
  const hasher = openWordHasher();
  expect(hasher.hash('Straßen prüfen', 'de')).toMatchObject({ hashes: { length: 4 }, length: 2 });
  expect(hasher.hash('Straßen prüfen')).toMatchObject({ hashes: { length: 2 }, length: 2 });
});

test('the word hasher reads very long texts to their end', () => {
  const hasher = openWordHasher();
  for (const text of [
    'word '.repeat(50_000),
    `${'word '.repeat(20_000)}é`,
    `${'x'.repeat(60_000)}é`,
    'ab-'.repeat(60_000),
  ])
    expect(hashesOf(hasher, text)).toEqual(wordsOf(text).map(hashWord));
});
