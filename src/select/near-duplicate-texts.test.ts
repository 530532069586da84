import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { likeness, toSortedSet } from './index/sorted-set.ts';
import { openWordHasher } from './index/word-hasher.ts';
import { groupNearDuplicates, runsOf } from './near-duplicate-texts.ts';

test('near-duplicate texts are compared by runs of three words, so that word order counts', () => {
  const hasher = openWordHasher();
  const text = 'fill every field of a paper form, then sign the paper form';
  expect(likeness(runsOf(text, hasher), runsOf(text.toUpperCase(), hasher))).toBe(1);
  const shuffled = text.split(' ').toReversed().join(' ');
  expect(likeness(runsOf(text, hasher), runsOf(shuffled, hasher))).toBe(0);
  expect(runsOf('paper forms', hasher)).toHaveLength(2);
});

test('a text that is equally similar to two groups of near-duplicates joins the earlier one', () => {
  const texts = [
    [1, 2, 3, 4, 5, 6, 7, 8, 270],
    [0, 1, 2, 3, 4, 5, 6, 7, 9],
    [0, 1, 2, 3, 4, 5, 6, 7, 270],
  ];
  expect(groupNearDuplicates(texts.map(toSortedSet))).toEqual([
    [
      { at: 0, likeness: 1 },
      { at: 2, likeness: 0.8 },
    ],
  ]);
});

test('grouping near-duplicate texts gives the same groups as comparing each text with every group', () => {
  const base = fc.array(fc.nat(200), { minLength: 1, maxLength: 60 });
  const edits = fc.array(fc.nat(400), { maxLength: 12 });
  const texts = fc.array(
    fc
      .tuple(base, fc.array(edits, { minLength: 1, maxLength: 4 }))
      .map(([runs, all]) => all.map((edit) => toSortedSet([...runs.slice(edit.length / 2), ...edit]))),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(texts, (families) => {
      const sets = families.flat();
      const firsts: number[] = [];
      const groups = new Map<number, number[]>();
      for (const [at, set] of sets.entries()) {
        const near = firsts
          .map((first) => ({ first, shared: likeness(set, sets[first] ?? set) }))
          .filter(({ shared }) => shared >= 0.8)
          .toSorted((a, b) => b.shared - a.shared || a.first - b.first);
        const [best] = near;
        if (best === undefined) firsts.push(at);
        groups.set(best?.first ?? at, [...(groups.get(best?.first ?? at) ?? []), at]);
      }
      const expected = [...groups.values()].filter(({ length }) => length > 1);
      const grouped = groupNearDuplicates(sets).map((group) => group.map(({ at }) => at));
      expect(grouped.toSorted(byFirst)).toEqual(expected.toSorted(byFirst));
    }),
    { numRuns: propertyRuns(300) },
  );
});

function byFirst([a = 0]: readonly number[], [b = 0]: readonly number[]): number {
  return a - b;
}
