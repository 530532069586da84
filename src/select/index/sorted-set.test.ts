import fc from 'fast-check';
import { expect, test } from 'vitest';

import { firstNotBelow, isIn, likeness, toSortedSet } from './sorted-set.ts';

const numbers = fc.array(fc.nat(50));

test('a sorted set contains exactly what was added', () => {
  fc.assert(
    fc.property(numbers, fc.nat(60), (given, wanted) => {
      expect(isIn(toSortedSet(given), wanted)).toBe(given.includes(wanted));
    }),
    { seed: 20261115 },
  );
});

test('a sorted set finds the first number in a range that is not below the wanted one', () => {
  fc.assert(
    fc.property(numbers, fc.nat(60), fc.tuple(fc.nat(50), fc.nat(50)), (given, wanted, [a, b]) => {
      const set = toSortedSet(given);
      const [low = 0, high = 0] = [a, b].map((at) => Math.min(at, set.length)).sort((one, other) => one - other);
      const found = set.subarray(low, high).findIndex((number) => number >= wanted);
      expect(firstNotBelow(set, wanted, { low, high })).toBe(found === -1 ? high : low + found);
    }),
    { seed: 20261117 },
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
