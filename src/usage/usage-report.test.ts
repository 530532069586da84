import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { buildUsageReport, type SkillReport, type Trend, type UsageReport } from './usage-report.ts';
import { USAGE_KINDS, type SkillUses, type Tally, type UsageDetail, type UsageHistory } from './usage-store.ts';

function tally(skill: string, given: Partial<Tally> = {}): Tally {
  return { skill, kind: 'loaded', outcome: 'ok', bucket: 0, events: 1, ...given };
}

function usesOf(skill: string, lastUsed: number, firstUsed = 0): SkillUses {
  return { skill, uses: 1, firstUsed, lastUsed };
}

interface Given {
  readonly tallies?: readonly Tally[];
  readonly uses?: readonly SkillUses[];
  readonly existing?: readonly string[];
  readonly expected?: readonly string[];
}

/** A report on the time from 100 to 200 in four buckets. */
function report({ tallies = [], uses = [], existing = [], expected = existing }: Given): UsageReport {
  const history: UsageHistory = { from: 100, until: 200, buckets: 4, tallies, details: [], uses };
  return buildUsageReport(history, { existing: new Set(existing), expected });
}

function only({ skills }: UsageReport): SkillReport {
  expect(skills).toHaveLength(1);
  return skills[0] as SkillReport;
}

test('the usage report without events lists every skill as never used', () => {
  expect(report({ existing: ['b', 'a'] })).toEqual({
    from: 100,
    until: 200,
    skills: [],
    neverUsed: ['a', 'b'],
    searchedNeverLoaded: [],
    neverShown: ['a', 'b'],
    shownNeverUsed: [],
    cut: [],
    agents: [],
    projects: [],
    weeks: [],
  });
});

test("the usage report gives a skill's counts by kind, failures, last use and uses over time", () => {
  const tallies = [
    tally('pdf', { events: 2 }),
    tally('pdf', { kind: 'ran', bucket: 3, events: 3 }),
    tally('pdf', { kind: 'ran', bucket: 3, outcome: 'failed' }),
    tally('pdf', { kind: 'searched', bucket: 1, events: 7 }),
    tally('pdf', { kind: 'matched', bucket: 2, events: 5, outcome: 'failed' }),
  ];
  expect(only(report({ tallies, uses: [usesOf('pdf', 190)], existing: ['pdf'] }))).toEqual({
    name: 'pdf',
    exists: true,
    uses: 6,
    loaded: 2,
    ran: 4,
    invoked: 0,
    shown: 0,
    cut: 0,
    hinted: 0,
    followed: 0,
    tokens: 0,
    agents: {},
    searched: 7,
    matched: 5,
    failed: 6,
    lastUsed: 190,
    series: [2, 0, 0, 4],
    trend: 'rising',
  });
});

test('the usage report keeps a removed skill and marks it', () => {
  const { skills, neverUsed } = report({ tallies: [tally('gone')], existing: ['here'] });
  expect(skills).toMatchObject([{ name: 'gone', exists: false, uses: 1 }]);
  expect(neverUsed).toEqual(['here']);
});

test('the usage report sorts by number of uses, then by last use, then by name', () => {
  const tallies = ['d', 'c', 'b', 'a'].map((name) => tally(name, { events: name === 'd' ? 2 : 1 }));
  const uses = [usesOf('a', 1), usesOf('b', 2), usesOf('c', 1), usesOf('d', 1)];
  expect(report({ tallies, uses }).skills.map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
});

describe('the usage report', () => {
  test('lists expected skills that were not used, even if they were found by a search', () => {
    const tallies = [
      tally('loaded'),
      tally('ran', { kind: 'ran' }),
      tally('searched', { kind: 'searched' }),
      tally('matched', { kind: 'matched' }),
    ];
    const existing = ['searched', 'matched', 'loaded', 'ran', 'untouched', 'disabled'];
    const expected = existing.slice(0, 5);
    expect(report({ tallies, existing, expected }).neverUsed).toEqual(['matched', 'searched', 'untouched']);
  });

  test('lists skills that were found by searches but never used, most often found first', () => {
    const tallies = [
      tally('once', { kind: 'searched' }),
      tally('also-once', { kind: 'searched' }),
      tally('often', { kind: 'searched', events: 9 }),
      tally('used', { kind: 'searched', events: 99 }),
      tally('used', { kind: 'ran' }),
      tally('matched', { kind: 'matched' }),
    ];
    expect(report({ tallies }).searchedNeverLoaded).toEqual(['often', 'also-once', 'once']);
  });
});

describe('the trend in the usage report', () => {
  const trendOf = (series: readonly number[], firstUsed = 0): Trend => {
    const tallies = series.map((events, bucket) => tally('pdf', { bucket, events }));
    return only(report({ tallies, uses: [usesOf('pdf', 199, firstUsed)] })).trend;
  };

  test.each<[readonly number[], Trend]>([
    [[0, 1, 2, 1], 'rising'],
    [[2, 1, 0, 1], 'falling'],
    [[1, 2, 2, 1], 'steady'],
    [[0, 0, 0, 1], 'rising'],
    [[1, 0, 0, 0], 'falling'],
    [[0, 0, 0, 0], 'steady'],
    [[5, 5, 6, 6], 'steady'],
    [[5, 5, 6, 7], 'rising'],
    [[6, 6, 5, 5], 'steady'],
    [[6, 7, 5, 5], 'falling'],
  ])('for the uses %j is %s', (series, trend) => {
    expect(trendOf(series)).toBe(trend);
  });

  test('is new for a skill that was first used in the later half', () => {
    expect(trendOf([0, 0, 0, 1], 150)).toBe('new');
    expect(trendOf([0, 1, 0, 3], 149)).toBe('rising');
    expect(trendOf([0, 0, 0, 1], 201)).toBe('rising');
  });

  test('is steady for a skill that was only found', () => {
    expect(only(report({ tallies: [tally('pdf', { kind: 'searched', bucket: 3 })] })).trend).toBe('steady');
  });
});

test('the usage report counts every event once, and every expected skill as used or not, for any history', () => {
  const names = ['a', 'b', 'c'];
  const someTally = fc.record({
    skill: fc.constantFrom(...names, 'gone'),
    kind: fc.constantFrom(...USAGE_KINDS),
    outcome: fc.constantFrom('ok' as const, 'failed' as const),
    bucket: fc.nat(3),
    events: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(someTally, { maxLength: 12 }), (tallies) => {
      const { skills, neverUsed, searchedNeverLoaded } = report({ tallies, existing: names });
      const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);
      const counted = skills.map(
        (skill) =>
          skill.uses +
          skill.searched +
          skill.matched +
          skill.shown +
          skill.cut +
          skill.hinted +
          skill.followed +
          skill.tokens,
      );
      expect(sum(counted)).toBe(sum(tallies.map(({ events }) => events)));
      for (const { uses, series, loaded, ran, invoked } of skills)
        expect([uses, sum(series)]).toEqual([loaded + ran + invoked, uses]);
      const used = skills.filter(({ uses }) => uses > 0).map(({ name }) => name);
      expect([...used.filter((name) => name !== 'gone'), ...neverUsed].sort()).toEqual(names);
      expect(searchedNeverLoaded.filter((name) => used.includes(name))).toEqual([]);
    }),
    { numRuns: 300, seed: 20261115 },
  );
});

describe('uses recorded by other agents', () => {
  const WEEK = 7 * 86_400_000;
  const detail = (given: Partial<UsageDetail> = {}): UsageDetail => ({
    skill: 'pdf',
    kind: 'loaded',
    agent: 'codex',
    project: '/a',
    day: 0,
    week: 0,
    events: 1,
    ...given,
  });

  test("appear in the usage report under the catalog's names, with counts by agent, project and week", () => {
    const history: UsageHistory = {
      from: 0,
      until: 3 * WEEK,
      buckets: 2,
      tallies: [
        tally('pdf'),
        tally('office:pdf', { kind: 'invoked', events: 2 }),
        tally('pdf', { kind: 'spent', events: 900 }),
        tally('pdf', { kind: 'cut', events: 4 }),
        tally('docx', { kind: 'shown', events: 8 }),
        tally('theirs', { kind: 'shown', events: 9 }),
      ],
      details: [
        detail(),
        detail({ skill: 'office:pdf', kind: 'invoked', agent: 'claude-code', week: 2 * WEEK, events: 2 }),
      ],
      uses: [usesOf('pdf', 5), usesOf('office:pdf', 9, 3)],
    };
    const nameOf = (name: string): string => name.replace('office:', '');
    const built = buildUsageReport(history, {
      existing: new Set(['pdf', 'docx']),
      expected: ['docx', 'pdf', 'xlsx'],
      nameOf,
    });
    expect(built.skills.find(({ name }) => name === 'pdf')).toMatchObject({
      uses: 3,
      loaded: 1,
      invoked: 2,
      tokens: 900,
      cut: 4,
      lastUsed: 9,
      agents: { codex: 1, 'claude-code': 2 },
    });
    expect(built).toMatchObject({
      neverUsed: ['docx', 'xlsx'],
      neverShown: ['xlsx'],
      shownNeverUsed: ['docx'],
      cut: ['pdf'],
      agents: [
        { name: 'claude-code', uses: 2, invoked: 2, series: [0, 0, 2], skills: [['pdf', 2]] },
        { name: 'codex', uses: 1, invoked: 0, series: [1, 0, 0] },
      ],
      projects: [{ name: '/a', uses: 3 }],
      weeks: [
        { name: '1970-01-15', uses: 2 },
        { name: '1970-01-01', uses: 1 },
      ],
    });
    const one = buildUsageReport(history, { existing: new Set(['pdf']), expected: ['docx'], nameOf, only: 'docx' });
    expect([one.skills.map(({ name }) => name), one.agents]).toEqual([['docx'], []]);
  });
});
