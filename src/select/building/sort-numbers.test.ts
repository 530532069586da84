import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openNumberSorter } from './sort-numbers.ts';

test('the number sorter sorts few and many numbers and removes duplicates', () => {
  const sort = openNumberSorter();
  const number = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.integer({ min: 0, max: 300 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 3_000, size: 'max' }), (given) => {
      const numbers = Uint32Array.from(given);
      const length = sort(numbers);
      expect([...numbers.subarray(0, length)]).toEqual([...new Set(given)].sort((a, b) => a - b));
    }),
    { numRuns: 200, seed: 20261117 },
  );
});
