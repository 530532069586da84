import { describe, expect, onTestFinished, test } from 'vitest';

import type { Database } from '../src/database/database.ts';
import { openDatabase, openTestHub } from './support/hubs.ts';

const HOUR_MS = 3_600_000;

/** A database that can go away and come back, as seen from one replica. */
function openFaulty(database: Database): { readonly faulty: Database; isAway: boolean } {
  const state = { isAway: false, faulty: database };
  const check = (): void => {
    if (state.isAway) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  };
  state.faulty = {
    ...database,
    query: async (sql, values) => {
      check();
      return database.query(sql, values);
    },
    transaction: async (work) => {
      check();
      return database.transaction(work);
    },
  };
  return state;
}

describe('replicas of a hub', () => {
  test('find a skill that was published on another one', async () => {
    const database = await openDatabase();
    const one = await openTestHub(database);
    const two = await openTestHub(database);
    const token = one.hub.firstToken ?? '';
    expect(two.hub.firstToken).toBeUndefined();
    await one.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    await one.publish('team', 'pdf');
    const search = async (): Promise<unknown> => (await two.ask('GET', '/api/v1/search?q=pdf', { token })).json;
    await expect.poll(search).toMatchObject({ results: [{ name: 'pdf' }] });
    await one.ask('POST', '/api/v1/skills/team/pdf/versions/1.0.0/yank', { json: { reason: 'no' } });
    await expect.poll(search).toMatchObject({ results: [] });
  });

  test('learn of a change by its notice, even after the connection was lost', async () => {
    const database = await openDatabase();
    // Looking would take an hour: whatever arrives was told of.
    const [one, two] = [
      await openTestHub(database, { pollMs: HOUR_MS }),
      await openTestHub(database, { pollMs: HOUR_MS }),
    ];
    const token = one.hub.firstToken ?? '';
    await one.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    const search = async (name: string): Promise<unknown> =>
      (await two.ask('GET', `/api/v1/search?q=${name}`, { token })).json;
    await one.publish('team', 'pdf');
    await expect.poll(() => search('pdf')).toMatchObject({ results: [{ name: 'pdf' }] });
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'LISTEN%'
         AND datname = current_database()`,
    );
    await one.publish('team', 'docx');
    await expect.poll(() => search('docx')).toMatchObject({ results: [{ name: 'docx' }] });
  });

  test('refuse a token that was revoked on another one', async () => {
    const database = await openDatabase();
    const [one, two] = [await openTestHub(database), await openTestHub(database)];
    const reader = await one.token('reader');
    expect(await two.ask('GET', '/api/v1/skills', { token: reader })).toMatchObject({ status: 200 });
    const { json } = await one.ask('GET', '/api/v1/tokens');
    const [{ id }] = json['tokens'] as [{ id: number }];
    await one.ask('DELETE', `/api/v1/tokens/${id}`);
    await expect.poll(async () => (await two.ask('GET', '/api/v1/skills', { token: reader })).status).toBe(401);
  });

  test('start from the saved index, and search as well as before', async () => {
    const database = await openDatabase();
    const one = await openTestHub(database);
    await one.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    await one.publish('team', 'pdf', { body: 'The flamingo instructions.' });
    await one.hub.followed[Symbol.asyncDispose]();
    const [saved] = await database.query<{ upto: number }>('SELECT upto FROM search_index');
    expect(saved?.upto).toBe(one.hub.followed.upto());
    const two = await openTestHub(database);
    const query = { token: one.hub.firstToken ?? '' };
    expect((await two.ask('GET', '/api/v1/search?q=flamingo', query)).json).toMatchObject({
      results: [{ name: 'pdf' }],
    });
  });

  test('rebuild a saved index that is damaged', async () => {
    const database = await openDatabase();
    const one = await openTestHub(database);
    await one.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    await one.publish('team', 'pdf');
    await one.hub.followed[Symbol.asyncDispose]();
    await database.query(`UPDATE search_index_parts SET content = 'damaged'`);
    const two = await openTestHub(database);
    const found = await two.ask('GET', '/api/v1/search?q=pdf', { token: one.hub.firstToken ?? '' });
    expect(found.json).toMatchObject({ results: [{ name: 'pdf' }] });
  });
});

describe('a hub', () => {
  test('serves readers without its database and says so, refuses writers, and recovers', async () => {
    const state = openFaulty(await openDatabase());
    const { ask, publish, hub } = await openTestHub(state.faulty, { pollMs: 20 });
    onTestFinished(() => void (state.isAway = false));
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    await publish('team', 'pdf');
    const archive = '/api/v1/skills/team/pdf/versions/1.0.0/archive';
    const before = await ask('GET', archive);
    state.isAway = true;
    await expect.poll(() => hub.followed.staleSince()).toBeDefined();
    const found = await ask('GET', '/api/v1/search?q=pdf');
    expect(found).toMatchObject({ status: 200, json: { results: [{ name: 'pdf' }] } });
    expect(found.headers.get('x-hub-stale-since')).toMatch(/^\d{4}-/);
    expect((await ask('GET', archive)).text).toBe(before.text);
    const written = await publish('team', 'other');
    expect(written).toMatchObject({
      status: 503,
      json: { code: 'UNAVAILABLE', advice: 'Nothing was changed. Try again in a moment.' },
    });
    expect(await ask('GET', '/readyz')).toMatchObject({ status: 503 });
    expect(await ask('GET', '/healthz')).toMatchObject({ status: 200 });
    state.isAway = false;
    await expect.poll(() => hub.followed.staleSince()).toBeUndefined();
    expect(await publish('team', 'other')).toMatchObject({ status: 200 });
    expect((await ask('GET', '/api/v1/search?q=other')).headers.get('x-hub-stale-since')).toBeNull();
  });

  test('does not serve an archive that is damaged in the database', async () => {
    const database = await openDatabase();
    const { ask, publish } = await openTestHub(database);
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    await publish('team', 'pdf');
    await database.script('ALTER TABLE blobs DISABLE TRIGGER ALL; UPDATE blobs SET content = set_byte(content, 0, 7);');
    const answer = await ask('GET', '/api/v1/skills/team/pdf/versions/1.0.0/archive');
    expect(answer).toMatchObject({ status: 500, json: { code: 'DAMAGED' } });
  });
});
