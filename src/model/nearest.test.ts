import fc from 'fast-check';
import { expect, test } from 'vitest';

import { sortByNearness } from './nearest.ts';

test('similar names are ordered by containment, then by edit distance, then by name', () => {
  const names = ['git', 'pdf-forms', 'pdg', 'pdf', 'xlsx', 'adf'];
  expect(sortByNearness(names, ['PDF'])).toEqual(['pdf', 'pdf-forms', 'adf', 'pdg', 'git', 'xlsx']);
});

test('asking for the few most similar names returns the start of the full order', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B', '-'), maxLength: 8 });
  const input = fc.tuple(fc.array(name, { maxLength: 12 }), fc.array(name, { minLength: 1, maxLength: 2 }), fc.nat(4));
  fc.assert(
    fc.property(input, ([names, wanted, most]) => {
      expect(sortByNearness(names, wanted, most)).toEqual(sortByNearness(names, wanted).slice(0, most));
    }),
    { numRuns: 1_000, seed: 20261115 },
  );
});
