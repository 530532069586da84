import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openGramFilter } from './gram-filter.ts';

test('whatever stands in a text may stand in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(), fc.nat(), (text, from, length) => {
      const start = from % (text.length + 1);
      expect(openGramFilter(text)(text.slice(start, start + length))).toBe(true);
    }),
    { numRuns: 500, seed: 20261115 },
  );
});

test('a text with a run that stands nowhere is known not to be there', () => {
  const mayHold = openGramFilter('Fill and split PDF forms. Write invoices for customers.');
  expect(mayHold('split PDF forms. Write')).toBe(true);
  expect(mayHold('split the PDF forms')).toBe(false);
  expect(mayHold('completely different')).toBe(false);
});

test('a short text may stand anywhere', () => {
  expect(openGramFilter('nothing')('other')).toBe(true);
  expect(openGramFilter('')('')).toBe(true);
});
