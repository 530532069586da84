import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  isCounted,
  isUse,
  SHORTEST_HISTORY_MS,
  USAGE_KINDS,
  type HistoryQuery,
  type SkillUses,
  type Tally,
  type UsageEvent,
  type UsageEvents,
  type UsageHistory,
  type UsageScope,
  type UsageStore,
} from '../../src/usage/usage-store.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { countEvents, DAY, HOUR, recordIn, START, usageEvent, usageEvents } from '../support/usage-events.ts';

/** The tests that every `UsageStore` must pass; `open` returns an empty one. */
export function describeUsageStore(name: string, open: () => Promise<UsageStore>): void {
  const openOne = async (): Promise<UsageStore> => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };
  describe(`${name} usage store: the uses of skills`, () => {
    describeUses(openOne);
  });
  describe(`${name} usage store: the history`, () => {
    describeHistory(openOne);
  });
  describe(`${name} usage store: recording`, () => {
    describeRecording(openOne);
  });
  describe(`${name} usage store: an imported event`, () => {
    describeImport(openOne);
  });
}

type Open = () => Promise<UsageStore>;

function describeUses(open: Open): void {
  test('are none in an empty store', async () => {
    const store = await open();
    expect(await usesIn(store, { team: 'team', agent: 'ann' })).toEqual([]);
    expect(await usesIn(store, { team: 'team' })).toEqual([]);
  });

  test('include loading and running, even if it failed, but not being found', async () => {
    const store = await open();
    await recordIn(
      store,
      usageEvent({ kind: 'loaded', at: START + 2 }),
      usageEvent({ kind: 'ran', at: START + 3, outcome: 'failed' }),
      usageEvent({ kind: 'searched', at: START + 9 }),
      usageEvent({ kind: 'matched', at: START + 9 }),
      usageEvent({ skill: 'docx', kind: 'searched' }),
    );
    expect(await usesIn(store, { team: 'team', agent: 'ann' })).toEqual([
      { skill: 'pdf', uses: 2, firstUsed: START + 2, lastUsed: START + 3 },
    ]);
  });

  test('are counted per agent across projects and sessions, and per team across agents', async () => {
    const store = await open();
    await recordIn(
      store,
      usageEvent({ at: START + 1, project: '/a', session: '1' }),
      usageEvent({ at: START + 5, project: '/b', session: '2' }),
      usageEvent({ at: START + 3, agent: 'bob' }),
      usageEvent({ at: START + 4, agent: 'bob', skill: 'docx' }),
      usageEvent({ at: START + 9, team: 'other' }),
    );
    const pdf = { skill: 'pdf', firstUsed: START + 1, lastUsed: START + 5 };
    expect(await usesIn(store, { team: 'team', agent: 'ann' })).toEqual([{ ...pdf, uses: 2 }]);
    expect(await usesIn(store, { team: 'team' })).toEqual([
      { skill: 'docx', uses: 1, firstUsed: START + 4, lastUsed: START + 4 },
      { ...pdf, uses: 3 },
    ]);
    expect(await usesIn(store, { team: 'team', agent: 'nobody' })).toEqual([]);
  });

  test('have their first time moved by a late event, but not their last', async () => {
    const store = await open();
    await recordIn(store, usageEvent({ at: START + 5 }));
    await recordIn(store, usageEvent({ at: START + 1 }));
    expect(await usesIn(store, { team: 'team' })).toEqual([
      { skill: 'pdf', uses: 2, firstUsed: START + 1, lastUsed: START + 5 },
    ]);
  });
}

function describeHistory(open: Open): void {
  test('of an empty store is empty and starts where it was asked to', async () => {
    const store = await open();
    expect(await historyIn(store, { since: START, until: START + DAY, buckets: 2 })).toEqual({
      from: START,
      until: START + DAY,
      buckets: 2,
      tallies: [],
      details: [],
      uses: [],
    });
    expect(await historyIn(store, { until: START, buckets: 2 })).toMatchObject({ from: START - SHORTEST_HISTORY_MS });
  });

  test('counts by skill, kind, outcome and bucket, including both ends of the period', async () => {
    const store = await open();
    await recordIn(
      store,
      usageEvent({ at: START - 1 }),
      usageEvent({ at: START }),
      usageEvent({ at: START + 1 }),
      usageEvent({ at: START + 1, outcome: 'failed' }),
      usageEvent({ at: START + 5, kind: 'searched' }),
      usageEvent({ at: START + 10 }),
      usageEvent({ at: START + 11 }),
    );
    const { tallies } = await historyIn(store, { since: START, until: START + 10, buckets: 2 });
    const pdf = { skill: 'pdf', kind: 'loaded', outcome: 'ok', bucket: 0, events: 1 };
    expect(tallies).toEqual([
      { ...pdf, outcome: 'failed' },
      { ...pdf, events: 2 },
      { ...pdf, bucket: 1 },
      { ...pdf, kind: 'searched', bucket: 1 },
    ]);
  });

  test('also gives the uses of all agents at any time', async () => {
    const store = await open();
    await recordIn(store, usageEvent({ at: START }), usageEvent({ at: START + 1, team: 'other', agent: 'bob' }));
    const history = await historyIn(store, { since: START + DAY, until: START + 2 * DAY, buckets: 1 });
    expect(history.tallies).toEqual([]);
    expect(history.uses).toEqual([{ skill: 'pdf', uses: 2, firstUsed: START, lastUsed: START + 1 }]);
  });

  test('starts with the first event or a week before its end if no start is given', async () => {
    const store = await open();
    await recordIn(store, usageEvent({ at: START + 5, kind: 'searched' }));
    expect(await historyIn(store, { until: START + 30 * DAY, buckets: 1 })).toMatchObject({ from: START + 5 });
    expect(await historyIn(store, { until: START + DAY, buckets: 1 })).toMatchObject({ from: START - 6 * DAY });
  });

  test('of one skill contains no other skill', async () => {
    const store = await open();
    await recordIn(store, usageEvent(), usageEvent({ skill: 'docx' }), usageEvent({ skill: 'PDF' }));
    const history = await historyIn(store, { since: START, until: START + 1, buckets: 1, skill: 'pdf' });
    expect(history.tallies.map(({ skill }) => skill)).toEqual(['pdf']);
    expect(history.uses.map(({ skill }) => skill)).toEqual(['pdf']);
  });

  test('keeps the count and the time of an event forever', async () => {
    const store = await open();
    const events = Array.from({ length: 400 }, (_, day) => usageEvent({ at: START + day * DAY + HOUR }));
    for (const event of events) await recordIn(store, event, { ...event, kind: 'searched' });
    expect(await countEvents(store)).toBe(800);
    const query = { since: START, until: START + 400 * DAY, buckets: 4 };
    const { tallies, uses } = await historyIn(store, query);
    expect(tallies.map(({ kind, bucket, events: count }) => [kind, bucket, count])).toEqual([
      ...[0, 1, 2, 3].map((bucket) => ['loaded', bucket, 100]),
      ...[0, 1, 2, 3].map((bucket) => ['searched', bucket, 100]),
    ]);
    const lastUsed = START + 399 * DAY + HOUR;
    expect(uses).toEqual([{ skill: 'pdf', uses: 400, firstUsed: START + HOUR, lastUsed }]);
    expect(await historyIn(store, { until: START + 400 * DAY, buckets: 1 })).toMatchObject({ from: START + HOUR });
  });
}

const NOW = { waitMs: 0 };

function describeImport(open: Open): void {
  const reading = { path: '/a.jsonl', inode: '7', size: 9, mtimeMs: 1.5, offset: 8, state: '{}' };

  test('counts once per id, however often it is imported', async () => {
    const store = await open();
    const batch = { found: [{ id: 'claude-code 1', events: [usageEvents({ kind: 'invoked' })] }], readings: [reading] };
    expect(await store.import(batch, NOW)).toEqual({ ok: true, added: 1 });
    expect(await store.import(batch, NOW)).toEqual({ ok: true, added: 0 });
    const twice = { found: [...batch.found, { id: 'codex 1', events: [usageEvents()] }], readings: [] };
    expect(await store.import(twice, NOW)).toEqual({ ok: true, added: 1 });
    expect(await usesIn(store, { team: 'team' })).toMatchObject([{ skill: 'pdf', uses: 2 }]);
  });

  test('is stored together with the reading position, or not at all', async () => {
    const store = await open();
    const found = [{ id: 'a', events: [usageEvents(), usageEvents({ at: 0.5 })] }];
    expect(await store.import({ found, readings: [reading] }, NOW)).toMatchObject({ ok: false });
    expect(await store.readings([reading.path, '/unknown'])).toEqual({ ok: true, readings: [] });
    expect(await countEvents(store)).toBe(0);
    const good = [{ id: 'a', events: [usageEvents()] }];
    expect(await store.import({ found: good, readings: [reading] }, NOW)).toEqual({ ok: true, added: 1 });
    expect(await store.readings([reading.path, '/unknown'])).toEqual({ ok: true, readings: [reading] });
    await store.import({ found: [], readings: [{ ...reading, offset: 9 }] }, NOW);
    expect(await store.readings([reading.path, '/unknown'])).toMatchObject({ readings: [{ offset: 9 }] });
    await store.import({ found: [], readings: [], gone: [reading.path] }, NOW);
    expect(await store.readings([reading.path, '/unknown'])).toEqual({ ok: true, readings: [] });
  });

  test('of a frequent kind is counted by day', async () => {
    const store = await open();
    const events = [
      usageEvents({ kind: 'shown', at: START + HOUR }),
      usageEvents({ kind: 'shown', at: START + 2 * HOUR, session: 'other' }),
      usageEvents({ kind: 'spent', at: START + HOUR, count: 500 }),
      usageEvents({ kind: 'spent', at: START + HOUR, count: 20 }),
    ];
    await store.import({ found: [{ id: '1', events }], readings: [] }, NOW);
    const { tallies } = await historyIn(store, { since: START, until: START + DAY, buckets: 1 });
    expect(tallies.map(({ kind, events: count }) => [kind, count])).toEqual([
      ['shown', 2],
      ['spent', 520],
    ]);
    expect(await usesIn(store, { team: 'team' })).toEqual([]);
  });

  test('comes from files whose state is remembered exactly', async () => {
    const store = await open();
    expect(await store.knownFiles()).toEqual({ ok: true, files: new Map() });
    const { inode, size, mtimeMs } = reading;
    const odd = { path: '/odd "\u00E9\n', inode: '18446744073709551615', size: -1, mtimeMs: 1_794_928_878_262.584_5 };
    const readings = [
      { ...reading, state: '{"session":"{\\"learned\\":true}"}' },
      { ...odd, offset: 7, state: JSON.stringify({ tail: '', learned: true }) },
    ];
    await store.import({ found: [], readings }, NOW);
    const files = new Map([
      [reading.path, { inode, size, mtimeMs, isLearned: false }],
      [odd.path, { inode: odd.inode, size: odd.size, mtimeMs: odd.mtimeMs, isLearned: true }],
    ]);
    expect(await store.knownFiles()).toEqual({ ok: true, files });
    expect(await store.readings([odd.path])).toEqual({ ok: true, readings: [readings[1]] });
  });

  test('of several skills is stored for each of them', async () => {
    const store = await open();
    const shown = (at: number, ...skills: readonly string[]): UsageEvents => ({
      ...usageEvents({ kind: 'shown', at }),
      skills,
    });
    const found = [
      { id: '1', events: [shown(START + HOUR, 'pdf', 'docx'), shown(START + DAY, 'pdf')] },
      { id: '2', events: [shown(START + 2 * HOUR, 'docx', 'pdf', 'docx'), { ...usageEvents(), skills: ['pdf', 'a'] }] },
    ];
    expect(await store.import({ found, readings: [] }, NOW)).toEqual({ ok: true, added: 8 });
    const { tallies } = await historyIn(store, { since: START, until: START + 2 * DAY, buckets: 2 });
    expect(tallies.map(({ skill, kind, bucket, events }) => `${skill} ${kind} ${bucket} ${events}`).sort()).toEqual([
      'a loaded 0 1',
      'docx shown 0 3',
      'pdf loaded 0 1',
      'pdf shown 0 2',
      'pdf shown 1 1',
    ]);
    expect((await usesIn(store, { team: 'team' })).map(({ skill }) => skill).sort()).toEqual(['a', 'pdf']);
  });

  test('is reported by agent, project, day and week, as far as it is a use', async () => {
    const store = await open();
    // 2020-01-01 was a Wednesday.
    await recordIn(
      store,
      usageEvent({ agent: 'codex', project: '/a', at: START }),
      usageEvent({ agent: 'codex', project: '/a', at: START + DAY - 1, session: 'other' }),
      usageEvent({ agent: 'codex', project: '/a', at: START + 4 * DAY }),
      usageEvent({ agent: 'codex', project: '/a', at: START + 4 * DAY, kind: 'searched' }),
      usageEvent({ agent: 'codex', project: '/b', at: START + 5 * DAY, kind: 'invoked' }),
    );
    const { details } = await historyIn(store, { since: START, until: START + 9 * DAY, buckets: 1 });
    const monday = START - 2 * DAY;
    const use = { skill: 'pdf', kind: 'loaded', agent: 'codex', project: '/a', week: monday };
    expect(details.toSorted((a, b) => a.day - b.day)).toEqual([
      { ...use, day: START, events: 2 },
      { ...use, day: START + 4 * DAY, events: 1 },
      { ...use, kind: 'invoked', project: '/b', day: START + 5 * DAY, week: monday + 7 * DAY, events: 1 },
    ]);
  });

  test('of other agents counts for an agent on request', async () => {
    const store = await open();
    await recordIn(store, usageEvent(), usageEvent({ agent: 'codex', skill: 'docx' }), usageEvent({ agent: 'bob' }));
    const uses = await usesIn(store, { team: 'team', agent: 'ann', others: ['codex', 'gemini'] });
    expect(uses.map(({ skill, uses: count }) => [skill, count])).toEqual([
      ['docx', 1],
      ['pdf', 1],
    ]);
  });
}

function describeRecording(open: Open): void {
  test('an empty list of events succeeds', async () => {
    const store = await open();
    expect(await store.record([], { waitMs: 0 })).toEqual({ ok: true, value: undefined });
    expect(await countEvents(store)).toBe(0);
  });

  test('equal events counts each of them', async () => {
    const store = await open();
    await recordIn(store, usageEvent(), usageEvent());
    await recordIn(store, usageEvent());
    expect(await countEvents(store)).toBe(3);
    expect(await usesIn(store, { team: 'team' })).toMatchObject([{ uses: 3 }]);
  });

  test('many events concurrently keeps them all', async () => {
    const store = await open();
    const events = Array.from({ length: 100 }, (_, at) => usageEvent({ at: START + at, session: `s${at % 7}` }));
    await Promise.all(events.map((event) => recordIn(store, event)));
    expect(await countEvents(store)).toBe(100);
  });

  test.each(["'; DROP TABLE events; --", '表', '🙂', 'a\nb', 'é', 'e\u0301', ' ', '%', 'x'.repeat(10_000)])(
    'an event accepts any text as a name: %j',
    async (text) => {
      const store = await open();
      const event = { skill: text, digest: text, team: text, agent: text, project: text, session: text };
      await recordIn(store, usageEvent(event), usageEvent());
      expect(await usesIn(store, { team: text, agent: text })).toMatchObject([{ skill: text, uses: 1 }]);
      expect(await historyIn(store, { since: START, until: START, buckets: 1, skill: text })).toMatchObject({
        tallies: [{ skill: text, events: 1 }],
      });
    },
  );

  test('any events gives the counts of a plain list of them', async () => {
    const batches = fc.array(fc.array(someEvent(), { maxLength: 8 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, someQuery(), async (given, query) => {
        const store = await open();
        for (const batch of given) await recordIn(store, ...batch);
        const events = given.flat();
        for (const scope of [{ team: 'team', agent: 'ann' }, { team: 'team' }, { team: 'other' }])
          expect(await usesIn(store, scope)).toEqual(modelUses(events.filter((event) => isIn(event, scope))));
        expect((await historyIn(store, query)).tallies).toEqual(modelTallies(events, query));
      }),
      { numRuns: propertyRuns(60), seed: 20261115 },
    );
  });
}

function someEvent(): fc.Arbitrary<UsageEvent> {
  return fc
    .record({
      skill: fc.constantFrom('pdf', 'docx', 'xlsx'),
      kind: fc.constantFrom(...USAGE_KINDS.filter((kind) => !isCounted(kind))),
      outcome: fc.constantFrom('ok' as const, 'failed' as const),
      team: fc.constantFrom('team', 'other'),
      agent: fc.constantFrom('ann', 'bob'),
      session: fc.constantFrom('1', '2'),
      digest: fc.constantFrom(undefined, 'd'),
      at: fc.nat(60).map((minutes) => START + minutes * 60_000),
    })
    .map(usageEvent);
}

function someQuery(): fc.Arbitrary<HistoryQuery> {
  return fc
    .record({ start: fc.nat(30), length: fc.nat(40), buckets: fc.integer({ min: 1, max: 7 }), isOne: fc.boolean() })
    .map(({ start, length, buckets, isOne }) => {
      const since = START + start * 60_000;
      return { since, until: since + length * 60_000, buckets, skill: isOne ? 'pdf' : undefined };
    });
}

function isIn(event: UsageEvent, { team, agent }: UsageScope): boolean {
  return event.team === team && (agent === undefined || event.agent === agent);
}

function modelUses(events: readonly UsageEvent[]): readonly SkillUses[] {
  const used = events.filter(({ kind }) => isUse(kind));
  return [...Map.groupBy(used, ({ skill }) => skill)]
    .map(([skill, own]) => {
      const times = own.map(({ at }) => at);
      return { skill, uses: own.length, firstUsed: Math.min(...times), lastUsed: Math.max(...times) };
    })
    .sort(bySkill);
}

function modelTallies(events: readonly UsageEvent[], { since = 0, until, buckets, skill }: HistoryQuery): Tally[] {
  const within = events.filter(
    (event) => event.at >= since && event.at <= until && (skill === undefined || event.skill === skill),
  );
  const keyed = Map.groupBy(within, (event) => {
    const bucket = until === since ? 0 : Math.floor(((event.at - since) * buckets) / (until - since));
    return JSON.stringify([event.skill, event.kind, event.outcome, Math.min(bucket, buckets - 1)]);
  });
  const tallies = [...keyed].map(([key, own]) => {
    const [name, kind, outcome, bucket] = JSON.parse(key) as [string, Tally['kind'], Tally['outcome'], number];
    return { skill: name, kind, outcome, bucket, events: own.length };
  });
  return tallies.sort(byKey);
}

async function usesIn(store: UsageStore, scope: UsageScope): Promise<readonly SkillUses[]> {
  const read = await store.uses(scope);
  if (!read.ok) throw new Error(`${read.trouble}: ${read.message}`);
  return read.uses.toSorted(bySkill);
}

async function historyIn(store: UsageStore, query: HistoryQuery): Promise<UsageHistory> {
  const read = await store.history(query);
  if (!read.ok) throw new Error(`${read.trouble}: ${read.message}`);
  const { history } = read;
  return { ...history, tallies: history.tallies.toSorted(byKey), uses: history.uses.toSorted(bySkill) };
}

function bySkill(a: SkillUses, b: SkillUses): number {
  return a.skill < b.skill ? -1 : 1;
}

function byKey(a: Tally, b: Tally): number {
  const key = ({ skill, kind, bucket, outcome }: Tally): string => `${skill} ${kind} ${bucket} ${outcome}`;
  return key(a) < key(b) ? -1 : 1;
}
