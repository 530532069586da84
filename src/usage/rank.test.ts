import fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../../test/support/property-runs.ts';
import { compareText } from '../model/order.ts';
import { rankByUse, type Rankable } from './rank.ts';
import type { SkillUses } from './usage-store.ts';

function skills(given: Readonly<Record<string, number>>): readonly Rankable[] {
  return Object.entries(given).map(([name, changedAt]) => ({ name, changedAt }));
}

function use(skill: string, lastUsed: number, uses = 1): SkillUses {
  return { skill, lastUsed, uses, firstUsed: 0 };
}

test('the most recently used skill ranks first', () => {
  expect(rankByUse(skills({ a: 9, b: 9, c: 9 }), [use('a', 1), use('c', 3), use('b', 2)])).toEqual(['c', 'b', 'a']);
});

test('of skills last used at the same time, the most used ranks first, then the name decides', () => {
  const uses = [use('c', 5, 2), use('b', 5, 2), use('a', 5, 1), use('d', 1, 99)];
  expect(rankByUse(skills({ d: 0, c: 0, b: 0, a: 0 }), uses)).toEqual(['b', 'c', 'a', 'd']);
});

test('skills that were never used rank last, the newest first, then by name', () => {
  expect(rankByUse(skills({ old: 1, b: 5, a: 5, used: 0, new: 9 }), [use('used', 1)])).toEqual([
    'used',
    'new',
    'a',
    'b',
    'old',
  ]);
});

test('the age of a skill does not count once it is used', () => {
  expect(rankByUse(skills({ b: 9, a: 1 }), [use('a', 5), use('b', 5)])).toEqual(['a', 'b']);
});

test('the ranking by use leaves out skills that were not asked for', () => {
  expect(rankByUse(skills({ a: 1 }), [use('gone', 9)])).toEqual(['a']);
  expect(rankByUse([], [use('gone', 9)])).toEqual([]);
});

test('skill names are sorted by code points, not by code units', () => {
  expect(['🙂', '\uFFFD', 'a', 'Z'].sort(compareText)).toEqual(['Z', 'a', '\uFFFD', '🙂']);
});

test('the ranking by use is a correctly sorted permutation, whatever the history', () => {
  const names = ['a', 'b', 'c', 'd', 'é', '🙂'];
  const some = fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), changedAt: fc.nat(3) }), {
    selector: ({ name }) => name,
  });
  const uses = fc.uniqueArray(
    fc.record({ skill: fc.constantFrom(...names, 'gone'), uses: fc.nat(2), lastUsed: fc.nat(2), firstUsed: fc.nat(2) }),
    { selector: ({ skill }) => skill },
  );
  fc.assert(
    fc.property(some, uses, (given, used) => {
      const ranked = rankByUse(given, used);
      expect(ranked.toSorted()).toEqual(given.map(({ name }) => name).sort());
      const keys = ranked.map((name) => {
        const own = used.find(({ skill }) => skill === name);
        const changedAt = given.find((skill) => skill.name === name)?.changedAt ?? 0;
        return own === undefined ? [1, -changedAt, 0] : [0, -own.lastUsed, -own.uses];
      });
      for (const [at, key] of keys.slice(1).entries()) {
        const [before = [], first = '', second = ''] = [keys[at], ranked[at], ranked[at + 1]];
        const difference = key.map((part, index) => part - (before[index] ?? 0)).find((part) => part !== 0);
        expect(difference ?? compareText(second, first)).toBeGreaterThan(0);
      }
    }),
    { numRuns: propertyRuns(500), seed: 20261115 },
  );
});
