import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openGramFilter } from './gram-filter.ts';

test('the gram filter never rules out a part of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(), fc.nat(), (text, from, length) => {
      const start = from % (text.length + 1);
      expect(openGramFilter(text)(text.slice(start, start + length))).toBe(true);
    }),
    { numRuns: 500, seed: 20261115 },
  );
});

test('the gram filter rules out a text with a run of letters that does not occur', () => {
  const mayHold = openGramFilter('Fill and split PDF forms. Write invoices for customers.');
  expect(mayHold('split PDF forms. Write')).toBe(true);
  expect(mayHold('split the PDF forms')).toBe(false);
  expect(mayHold('completely different')).toBe(false);
});

test('the gram filter never rules out a very short text', () => {
  expect(openGramFilter('nothing')('other')).toBe(true);
  expect(openGramFilter('')('')).toBe(true);
});
