import fc from 'fast-check';
import { expect, test } from 'vitest';

import { has, likeness, toSortedSet } from './sorted-set.ts';

const numbers = fc.array(fc.nat(50));

test('a sorted set contains exactly what was added', () => {
  fc.assert(
    fc.property(numbers, fc.nat(60), (given, wanted) => {
      expect(has(toSortedSet(given), wanted)).toBe(given.includes(wanted));
    }),
    { seed: 20261115 },
  );
});

test('the likeness of two sorted sets is the shared part of their union', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const union = new Set([...a, ...b]).size;
      const shared = new Set(a.filter((number) => b.includes(number))).size;
      const expected = union === 0 ? 0 : shared / union;
      expect(likeness(toSortedSet(a), toSortedSet(b))).toBeCloseTo(expected);
    }),
    { seed: 20261115 },
  );
});
