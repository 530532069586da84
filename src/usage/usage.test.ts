import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { nextLine, startModule } from '../../test/support/child.ts';
import { makeTree } from '../../test/support/tree.ts';
import { countEvents, START } from '../../test/support/usage-events.ts';
import { openSqliteUsage } from './sqlite-usage.ts';
import type { Caller, UsageEvent, UsageFailure, UsageStore } from './usage-store.ts';
import { Usage, type UsageOptions, type UsageSettings } from './usage.ts';

const ANN: Caller = { team: 'team', agent: 'ann', project: '/project', session: 'session' };
const KEPT: UsageSettings = { isKept: true, isLearning: false };
const BOB: Caller = { ...ANN, agent: 'bob' };

/** A usage over a real database; its clock stands still unless one is given. */
function openOn(path: string, given: Partial<UsageOptions> = {}): Usage {
  const usage = new Usage({
    caller: ANN,
    clock: () => START,
    readSettings: () => KEPT,
    path,
    openStore: async (warn) => openSqliteUsage(path, warn),
    ...given,
  });
  onTestFinished(() => usage.close());
  return usage;
}

function makePath(): string {
  return join(makeTree(), 'skillplane.db');
}

/** Each call is a millisecond later. */
function ticking(from = START): () => number {
  let time = from;
  return () => (time += 1);
}

async function countIn(path: string): Promise<number> {
  const store = openSqliteUsage(path, () => undefined);
  onTestFinished(() => store.close());
  return countEvents(store);
}

const skills = ['a', 'b', 'c', 'd'].map((name, changedAt) => ({ name, changedAt }));

describe('recording usage', () => {
  test('stores who used what and when', async () => {
    const path = makePath();
    const seen: UsageEvent[] = [];
    const store = fakeStore(async (events) => {
      seen.push(...events);
      return { ok: true, value: undefined };
    });
    const usage = openOn(path, { openStore: async () => store, clock: () => START + 0.7 });
    await usage.record([
      { skill: 'a', kind: 'loaded', digest: 'd' },
      { skill: 'b', kind: 'ran', outcome: 'failed' },
    ]);
    expect(seen).toEqual([
      { ...ANN, skill: 'a', kind: 'loaded', digest: 'd', outcome: 'ok', at: START },
      { ...ANN, skill: 'b', kind: 'ran', digest: undefined, outcome: 'failed', at: START },
    ]);
  });

  test('stores nothing else, even if a caller passes it by mistake', async () => {
    const path = makePath();
    const usage = openOn(path);
    const event = { skill: 'a', kind: 'searched' as const, query: 'my secret request' };
    await usage.record([event]);
    await usage.close();
    expect(readFileSync(path, 'latin1')).toContain('searched');
    expect(readFileSync(path, 'latin1')).not.toContain('secret');
  });

  test('replaces characters in a name that cannot be stored', async () => {
    const path = makePath();
    const usage = openOn(path);
    await usage.record([{ skill: 'a\0b\uD800', kind: 'loaded' }]);
    expect([...(await usage.lastUsed(['a', 'a\uFFFDb\uFFFD'])).keys()]).toEqual(['a\uFFFDb\uFFFD']);
    expect(usage.diagnostics()).toEqual([]);
  });

  test('without awaiting completes in order before closing', async () => {
    const path = makePath();
    const usage = openOn(path, { clock: ticking() });
    for (const { name } of skills) void usage.record([{ skill: name, kind: 'loaded' }]);
    expect(await usage.rank(skills)).toEqual(['d', 'c', 'b', 'a']);
    void usage.record([{ skill: 'a', kind: 'ran' }]);
    await usage.close();
    expect(await countIn(path)).toBe(5);
  });

  test('is seen by later reads, however long it takes', async () => {
    let allow = (): void => undefined;
    const allowed = new Promise<void>((resolve) => (allow = resolve));
    const path = makePath();
    const usage = openOn(path, {
      async openStore(warn) {
        await allowed;
        return openSqliteUsage(path, warn);
      },
    });
    const recorded = usage.record([{ skill: 'a', kind: 'loaded' }]);
    const read = usage.lastUsed(['a']);
    allow();
    expect(await read).toEqual(new Map([['a', START]]));
    await recorded;
  });

  test('works even after closing', async () => {
    const path = makePath();
    const usage = openOn(path);
    await usage.close();
    await usage.record([{ skill: 'a', kind: 'loaded' }]);
    expect(await countIn(path)).toBe(1);
  });
});

describe('usage of another caller', () => {
  test('shares the store but has its own history', async () => {
    const path = makePath();
    const ann = openOn(path, { clock: ticking() });
    const bob = ann.as({ agent: 'bob' });
    await ann.record([{ skill: 'a', kind: 'loaded' }]);
    expect([...(await bob.lastUsed(['a', 'b'])).keys()]).toEqual(['a']);
    await bob.record([{ skill: 'b', kind: 'loaded' }]);
    expect([...(await bob.lastUsed(['a', 'b'])).keys()]).toEqual(['b']);
    expect([...(await ann.lastUsed(['a', 'b'])).keys()]).toEqual(['a']);
    expect([...(await bob.as({ team: 'other' }).lastUsed(['a', 'b'])).keys()]).toEqual([]);
    await bob.close();
    expect(await countIn(path)).toBe(2);
  });
});

describe('ranking skills by usage', () => {
  test('uses the history of this agent', async () => {
    const path = makePath();
    const [ann, bob] = [openOn(path), openOn(path, { caller: BOB, clock: () => START + 1 })];
    await ann.record([{ skill: 'c', kind: 'loaded' }]);
    await bob.record([{ skill: 'a', kind: 'ran' }]);
    await bob.record([{ skill: 'd', kind: 'searched' }]);
    expect(await ann.rank(skills)).toEqual(['c', 'd', 'b', 'a']);
    expect(await bob.rank(skills)).toEqual(['a', 'd', 'c', 'b']);
    expect(await ann.lastUsed(['a', 'c', 'x'])).toEqual(new Map([['c', START]]));
  });

  test('uses the history of the team if the agent has none', async () => {
    const path = makePath();
    await openOn(path, { caller: BOB }).record([{ skill: 'b', kind: 'loaded' }]);
    await openOn(path, { caller: { ...BOB, agent: 'eve' }, clock: () => START + 1 }).record([
      { skill: 'a', kind: 'loaded' },
    ]);
    await openOn(path, { caller: { ...BOB, team: 'other' }, clock: () => START + 2 }).record([
      { skill: 'c', kind: 'loaded' },
    ]);
    const ann = openOn(path);
    await ann.record([{ skill: 'd', kind: 'matched' }]);
    expect(await ann.rank(skills)).toEqual(['a', 'b', 'd', 'c']);
    expect(await ann.lastUsed(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', START + 1],
        ['b', START],
      ]),
    );
    await ann.record([{ skill: 'd', kind: 'loaded' }]);
    expect(await ann.rank(skills)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('uses the age of skills if there is no history, and creates no file', async () => {
    const path = makePath();
    expect(await openOn(path).rank(skills)).toEqual(['d', 'c', 'b', 'a']);
    expect(existsSync(path)).toBe(false);
  });
});

describe('usage that is switched off', () => {
  test('records nothing, reads nothing and does not touch the file', async () => {
    const path = makePath();
    const openStore = (): never => {
      throw new Error('it was not asked for');
    };
    const usage = openOn(path, { readSettings: () => ({ ...KEPT, isKept: false }), openStore });
    await usage.record([{ skill: 'a', kind: 'loaded' }]);
    expect(await usage.rank(skills)).toEqual(['d', 'c', 'b', 'a']);
    expect(await usage.lastUsed(['a'])).toEqual(new Map());
    expect(await usage.history({ until: START, buckets: 1 })).toEqual({ ok: true, history: undefined });
    await usage.close();
    expect(usage.diagnostics()).toEqual([]);
  });

  test('loses only the events of the time while it is off', async () => {
    const path = makePath();
    let isOn = true;
    const usage = openOn(path, { readSettings: () => ({ ...KEPT, isKept: isOn }) });
    await usage.record([{ skill: 'a', kind: 'loaded' }]);
    isOn = false;
    await usage.record([{ skill: 'b', kind: 'loaded' }]);
    expect(await usage.lastUsed(['a', 'b'])).toEqual(new Map());
    isOn = true;
    await usage.record([{ skill: 'c', kind: 'loaded' }]);
    expect([...(await usage.lastUsed(['a', 'b', 'c'])).keys()]).toEqual(['a', 'c']);
  });
});

/** A store that does this with events, and knows nothing. */
function fakeStore(record: UsageStore['record'], failure?: UsageFailure): UsageStore {
  return {
    record,
    uses: async () => failure ?? { ok: true, uses: [] },
    history: async ({ until, buckets }) =>
      failure ?? { ok: true, history: { from: 0, until, buckets, tallies: [], details: [], uses: [] } },
    import: async () => failure ?? { ok: true, added: 0 },
    knownFiles: async () => failure ?? { ok: true, files: new Map() },
    readings: async () => failure ?? { ok: true, readings: [] },
    noteRequest: async () => failure ?? { ok: true },
    preferredFor: async () => failure ?? { ok: true, memory: new Map() },
    learned: async () => failure ?? { ok: true, skills: 0, lessons: 0 },
    forget: async () => failure ?? { ok: true, skills: 0, lessons: 0 },
    close: async () => undefined,
  };
}

const LOCKED = { ok: false, code: 'STORE_FAILED', trouble: 'locked', message: 'another process is using it' } as const;

describe('a usage store that cannot be used', () => {
  test('gives one warning per reading and writing, empty answers and no report', async () => {
    const store = fakeStore(async () => LOCKED, LOCKED);
    const usage = openOn('/db', { openStore: async () => store });
    for (const { name } of skills) await usage.record([{ skill: name, kind: 'loaded' }]);
    expect(await usage.rank(skills)).toEqual(['d', 'c', 'b', 'a']);
    expect(await usage.rank(skills)).toEqual(['d', 'c', 'b', 'a']);
    const warning = { code: 'USAGE_UNAVAILABLE', severity: 'warning', path: '/db' };
    const warnings = ['written', 'read'].map((verb) => ({
      ...warning,
      message: `the history of use could not be ${verb}: another process is using it`,
    }));
    expect(usage.diagnostics()).toEqual(warnings);
    expect(await usage.history({ until: START, buckets: 1 })).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      message: '/db cannot be read: another process is using it',
    });
    await usage.close();
    expect(usage.diagnostics()).toEqual([
      ...warnings,
      { ...warning, code: 'USAGE_LOST', message: '4 events could not be recorded' },
    ]);
  });

  test('is tried again with the next event without waiting, and with patience on closing', async () => {
    const calls: { readonly skills: readonly string[]; readonly waitMs: number }[] = [];
    let isFree = false;
    const store = fakeStore(async (events, { waitMs }) => {
      calls.push({ skills: events.map(({ skill }) => skill), waitMs });
      return isFree ? { ok: true } : LOCKED;
    });
    const usage = openOn('/db', { openStore: async () => store });
    const record = (skill: string): Promise<void> => usage.record([{ skill, kind: 'loaded' }]);
    await record('a');
    await record('b');
    isFree = true;
    await record('c');
    await record('d');
    isFree = false;
    await record('e');
    isFree = true;
    await usage.close();
    expect(calls).toEqual([
      { skills: ['a'], waitMs: 250 },
      { skills: ['a', 'b'], waitMs: 0 },
      { skills: ['a', 'b', 'c'], waitMs: 0 },
      { skills: ['d'], waitMs: 250 },
      { skills: ['e'], waitMs: 250 },
      { skills: ['e'], waitMs: 2_000 },
    ]);
    expect(usage.diagnostics().map(({ code }) => code)).toEqual(['USAGE_UNAVAILABLE']);
  });

  test('holds at most 10,000 events back, and reports how many were lost', async () => {
    const calls: number[][] = [];
    const store = fakeStore(async (events) => {
      calls.push(events.map(({ at }) => at - START));
      return LOCKED;
    });
    const usage = openOn('/db', { openStore: async () => store, clock: ticking() });
    for (let batch = 0; batch < 4; batch += 1)
      await usage.record(Array.from({ length: 3_000 }, () => ({ skill: 'a', kind: 'loaded' as const })));
    expect(calls.map((times) => [times.length, times[0], times.at(-1)])).toEqual([
      [3_000, 1, 1],
      [6_000, 1, 2],
      [9_000, 1, 3],
      [10_000, 1, 4],
    ]);
    await usage.close();
    expect(usage.diagnostics().at(-1)).toMatchObject({
      code: 'USAGE_LOST',
      message: '12000 events could not be recorded',
    });
  });

  test('for a moment loses no events: they are written when the lock is free', async () => {
    const path = makePath();
    const first = openOn(path);
    await first.record([{ skill: 'a', kind: 'loaded' }]);
    const holder = startModule(
      `import { DatabaseSync } from 'node:sqlite';
      const database = new DatabaseSync(process.argv[1]);
      database.exec('BEGIN EXCLUSIVE');
      console.log('held');
      setInterval(() => {}, 1_000);`,
      [path],
    );
    await nextLine(holder);
    await first.record([{ skill: 'b', kind: 'loaded' }]);
    expect([...(await first.lastUsed(['a', 'b'])).keys()]).toEqual(['a']);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    await first.close();
    expect(await countIn(path)).toBe(2);
    expect(first.diagnostics()).toMatchObject([{ code: 'USAGE_UNAVAILABLE' }]);
  });

  test('because it is broken is replaced, and no event is lost', async () => {
    const path = join(makeTree({ 'skillplane.db': 'no database' }), 'skillplane.db');
    const usage = openOn(path);
    await usage.record([{ skill: 'a', kind: 'loaded' }]);
    await usage.close();
    expect(usage.diagnostics()).toMatchObject([{ code: 'USAGE_SET_ASIDE', path }]);
    expect(await countIn(path)).toBe(1);
    expect(readdirSync(join(path, '..'))).toContain('skillplane.db.broken-1');
  });
});
