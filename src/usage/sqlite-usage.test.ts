import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, onTestFinished, test } from 'vitest';

import { describeUsageStore } from '../../test/contract/usage-store.ts';
import { makeTree } from '../../test/support/tree.ts';
import { countEvents, DAY, HOUR, recordIn, START, usageEvent, usageEvents } from '../../test/support/usage-events.ts';
import { openSqliteUsage } from './sqlite-usage.ts';
import type { UsageStore } from './usage-store.ts';

function openStore(path: string): UsageStore {
  const store = openSqliteUsage(path, ({ message }) => {
    throw new Error(message);
  });
  onTestFinished(() => store.close());
  return store;
}

function rowsOf(path: string, sql: string): readonly unknown[] {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  return database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row));
}

describeUsageStore('SQLite', async () => openStore(join(makeTree(), 'home/skillplane.db')));

test('a usage event is stored with skill, kind, outcome, digest, time and caller', async () => {
  const path = join(makeTree(), 'usage.db');
  await recordIn(openStore(path), usageEvent({ digest: 'd1', kind: 'ran', outcome: 'failed', at: START + 7 }));
  const columns = 'at, skill, kind, outcome, digest, n, team, agent, project, session';
  expect(rowsOf(path, `SELECT ${columns} FROM events JOIN callers ON id = caller`)).toEqual([
    [START + 7, 'pdf', 'ran', 'failed', 'd1', 1, 'team', 'ann', '/project', 'session'],
  ]);
});

test('a batch of usage events is stored as a whole or not at all', async () => {
  const path = join(makeTree(), 'usage.db');
  const store = openStore(path);
  await recordIn(store, usageEvent());
  // A time that is no whole number is refused by the schema.
  const refused = await store.record([usageEvent({ at: START + 1 }), usageEvent({ at: 0.5 })], { waitMs: 0 });
  expect(refused).toMatchObject({ ok: false, trouble: 'other' });
  expect(await countEvents(store)).toBe(1);
  expect(rowsOf(path, 'SELECT uses FROM uses')).toEqual([[1]]);
});

test('an imported usage event counts once, whether its id repeats in the same or a later batch', async () => {
  const path = join(makeTree(), 'usage.db');
  const store = openStore(path);
  const found = ['codex 1', 'codex 2', 'codex 1'].map((id, at) => ({ id, events: [usageEvents({ at: START + at })] }));
  const later = [{ id: 'codex 3', events: [usageEvents({ at: START + 3 })] }, ...found];
  expect(await store.import({ found, readings: [] }, { waitMs: 0 })).toEqual({ ok: true, added: 2 });
  expect(await store.import({ found: later, readings: [] }, { waitMs: 0 })).toEqual({ ok: true, added: 1 });
  expect(rowsOf(path, 'SELECT at FROM events')).toEqual([[START], [START + 1], [START + 3]]);
  // The first bytes of SHA-256, in every release: what is known stays known.
  expect(rowsOf(path, 'SELECT hex(id) FROM known')).toContainEqual([
    createHash('sha256').update('codex 1').digest('hex').slice(0, 16).toUpperCase(),
  ]);
});

test('the known transcript files reflect what any process has read or forgotten', async () => {
  const path = join(makeTree(), 'usage.db');
  const [one, other] = [openStore(path), openStore(path)];
  const patience = { waitMs: 1_000 };
  const reading = { path: '/a', inode: '1', size: 1, mtimeMs: 1, offset: 1, state: '{}' };
  const sizesIn = async (store: UsageStore): Promise<readonly (readonly [string, number])[]> => {
    const known = await store.knownFiles();
    return known.ok ? [...known.files].map(([name, { size }]) => [name, size] as const) : [];
  };
  expect(await sizesIn(one)).toEqual([]);
  await other.import({ found: [], readings: [reading] }, patience);
  expect(await sizesIn(one)).toEqual([['/a', 1]]);
  await one.import({ found: [], readings: [{ ...reading, size: 2 }] }, patience);
  expect([await sizesIn(one), await sizesIn(other)]).toEqual([[['/a', 2]], [['/a', 2]]]);
  const failed = { found: [{ id: '1', events: [usageEvents({ at: 0.5 })] }], readings: [{ ...reading, size: 3 }] };
  expect(await one.import(failed, patience)).toMatchObject({ ok: false });
  expect([await sizesIn(one), await sizesIn(other)]).toEqual([[['/a', 2]], [['/a', 2]]]);
  await other.import({ found: [], readings: [{ ...reading, size: 4 }] }, patience);
  expect([await sizesIn(one), await sizesIn(one)]).toEqual([[['/a', 4]], [['/a', 4]]]);
  await one.import({ found: [], readings: [], gone: ['/a'] }, patience);
  expect([await sizesIn(one), await sizesIn(other)]).toEqual([[], []]);
});

describe('usage events older than half a year', () => {
  const old = START + HOUR;
  const late = START + 181 * DAY;

  async function openOldStore(): Promise<{ path: string; store: UsageStore }> {
    const path = join(makeTree(), 'usage.db');
    const store = openStore(path);
    await recordIn(
      store,
      usageEvent({ at: old, session: 'old', digest: 'a' }),
      usageEvent({ at: old + 1, session: 'older', digest: 'b' }),
      usageEvent({ at: old + 2, session: 'old', agent: 'bob' }),
      usageEvent({ at: old + 3, session: 'old', outcome: 'failed' }),
      usageEvent({ at: old + DAY, session: 'both' }),
    );
    return { path, store };
  }

  test('become one count per day, skill, kind, outcome and agent, with the time of the last', async () => {
    const { path, store } = await openOldStore();
    await recordIn(store, usageEvent({ at: late, session: 'both' }));
    expect(rowsOf(path, 'SELECT day * 86400000, agent, outcome, n, last_at FROM days ORDER BY last_at')).toEqual([
      [START, 'ann', 'ok', 2, old + 1],
      [START, 'bob', 'ok', 1, old + 2],
      [START, 'ann', 'failed', 1, old + 3],
    ]);
    expect(rowsOf(path, 'SELECT at FROM events')).toEqual([[old + DAY], [late]]);
    expect(rowsOf(path, 'SELECT session FROM callers')).toEqual([['both']]);
    expect(await countEvents(store)).toBe(6);
  });

  test('are forgotten with their session, unless the session continues', async () => {
    const { path, store } = await openOldStore();
    await recordIn(store, usageEvent({ at: old, session: 'long' }));
    await recordIn(store, usageEvent({ at: late, session: 'long' }));
    expect(rowsOf(path, 'SELECT session FROM callers ORDER BY session')).toEqual([['both'], ['long']]);
    expect(rowsOf(path, 'SELECT session FROM events JOIN callers ON id = caller')).toEqual([['both'], ['long']]);
  });

  test('are merged one day at a time, so that no process waits long', async () => {
    const { path, store } = await openOldStore();
    await recordIn(store, usageEvent({ at: late + DAY }));
    expect(rowsOf(path, 'SELECT count(*) FROM events')).toEqual([[2]]);
    await recordIn(store, usageEvent({ at: late + DAY }));
    expect(rowsOf(path, 'SELECT at, n FROM events')).toEqual([[late + DAY, 2]]);
    expect(rowsOf(path, 'SELECT sum(n) FROM days')).toEqual([[5]]);
  });

  test('that arrive late are added to their day', async () => {
    const { path, store } = await openOldStore();
    await recordIn(store, usageEvent({ at: late }));
    await recordIn(store, usageEvent({ at: old + 9 }), usageEvent({ at: late }));
    expect(rowsOf(path, "SELECT n, last_at FROM days WHERE agent = 'ann' AND outcome = 'ok'")).toEqual([[3, old + 9]]);
  });

  test('keep their details until that age', async () => {
    const { path, store } = await openOldStore();
    await recordIn(store, usageEvent({ at: old + 180 * DAY - 1 }));
    expect(rowsOf(path, 'SELECT count(*) FROM events')).toEqual([[6]]);
    expect(rowsOf(path, 'SELECT count(*) FROM days')).toEqual([[0]]);
  });
});
