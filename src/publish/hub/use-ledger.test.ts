import { expect, test } from 'vitest';

import { addUses, sumUses, type HubUse } from './use-ledger.ts';

const USE: HubUse = {
  hub: 'https://hub.example',
  project: '/projects/app',
  week: '2026-11-16',
  scope: 'team',
  skill: 'pdf',
  host: 'claude-code',
  version: '1.0.0',
  count: 3,
};
const SINCE = '2026-10-19';
const { hub: HUB } = USE;

test('a hub gets the sum of each week, also if it has not grown', () => {
  const first = addUses([], [USE], SINCE);
  const { hub: _, project: __, ...sum } = USE;
  expect(sumUses(first, HUB)).toEqual([sum]);
  expect(sumUses(addUses(first, [USE], SINCE), HUB)).toEqual([sum]);
  expect(sumUses(addUses(first, [{ ...USE, count: 5 }], SINCE), HUB)).toEqual([{ ...sum, count: 5 }]);
});

test('uses after an update are reported to the hub for the new version, earlier ones for the old', () => {
  const before = addUses([], [USE], SINCE);
  const after = addUses(before, [{ ...USE, version: '1.1.0', count: 4 }], SINCE);
  expect(sumUses(after, HUB)).toMatchObject([
    { version: '1.0.0', count: 3 },
    { version: '1.1.0', count: 1 },
  ]);
});

test('a hub gets sums without project names, and nothing about another hub', () => {
  const other = { ...USE, project: '/projects/secret', count: 2 };
  const foreign = { ...USE, hub: 'https://other.example' };
  const sums = sumUses(addUses([], [USE, other, foreign], SINCE), HUB);
  expect(sums).toMatchObject([{ count: 5 }]);
  expect(JSON.stringify(sums)).not.toContain('/work');
});

test('a deleted usage history takes back nothing from the hub, and old weeks are forgotten', () => {
  const ledger = addUses([], [USE, { ...USE, week: '2026-01-05' }], SINCE);
  expect(ledger).toHaveLength(1);
  expect(addUses(ledger, [{ ...USE, count: 1 }], SINCE)).toEqual(ledger);
  expect(addUses(ledger, [], '2026-11-23')).toEqual([]);
});
