import { gzipSync } from 'node:zlib';

import { packFiles } from 'skillplane/internal';
import { skillText } from 'skillplane/testing';
import { describe, expect, test } from 'vitest';

import { openDatabase, openTestHub } from './support/hubs.ts';

const PATH = '/api/v1/skills/team/pdf/versions';

describe('a hub on a bad day', () => {
  test('refuses new versions while its disk is full, serves the old ones, and recovers', async () => {
    const database = await openDatabase();
    const { ask, publish } = await openTestHub(database);
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    await publish('team', 'pdf');
    // The error that PostgreSQL raises when it cannot extend a file, after half of the version is written.
    await database.script(`
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON version_files FOR EACH ROW EXECUTE FUNCTION no_room();`);
    expect(await publish('team', 'other')).toMatchObject({
      status: 503,
      json: {
        code: 'FULL',
        message: 'the database has no room left',
        advice: expect.stringContaining('Nothing was changed'),
      },
    });
    expect(await ask('GET', '/api/v1/skills/team/other')).toMatchObject({ status: 404 });
    expect(await ask('GET', `${PATH}/1.0.0/archive`)).toMatchObject({ status: 200 });
    const rows = await database.query(
      `SELECT 1 FROM skills WHERE name = 'other' UNION ALL SELECT 1 FROM log WHERE skill = 'other'`,
    );
    expect(rows).toEqual([]);
    await database.script('DROP TRIGGER full_disk ON version_files');
    expect(await publish('team', 'other')).toMatchObject({ status: 200 });
  });

  test('keeps the order of versions and the life of tokens when its clock jumps', async () => {
    const clock = { at: Date.parse('2026-11-17T12:00:00Z') };
    const { ask, publish, hub } = await openTestHub(await openDatabase(), {}, () => new Date(clock.at));
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    const year = 365 * 86_400_000;
    const jumps = [-10 * year, 20 * year, -10 * year];
    for (const [at, jump] of jumps.entries()) {
      clock.at += jump;
      const made = await ask('POST', '/api/v1/tokens', {
        json: { name: 'n', person: 'p', role: 'publisher', days: 1 },
      });
      const { secret, token } = made.json as { secret: string; token: { id: number } };
      expect(await publish('team', 'pdf', { version: `1.0.${at}`, body: `${at}`, token: secret })).toMatchObject({
        status: 200,
      });
      await ask('DELETE', `/api/v1/tokens/${token.id}`);
      expect(await ask('GET', '/api/v1/skills', { token: secret })).toMatchObject({ status: 401 });
    }
    expect(hub.followed.staleSince()).toBeUndefined();
    const { json } = await ask('GET', '/api/v1/skills/team/pdf');
    expect(json).toMatchObject({ version: '1.0.2' });
    const { json: log } = await ask('GET', '/api/v1/log');
    const versions = (log['log'] as { version: string | null }[]).flatMap(({ version }) => version ?? []);
    expect(versions).toEqual(['1.0.2', '1.0.1', '1.0.0']);
  });

  test('accepts one of two versions that two replicas publish under one number, and both serve that one', async () => {
    const database = await openDatabase();
    const [one, two] = [await openTestHub(database), await openTestHub(database)];
    const token = one.hub.firstToken ?? '';
    await one.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
    const both = await Promise.all(
      [one, two].map(({ publish }, at) => publish('team', 'pdf', { body: `From ${at}.`, token })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    for (const { hub } of [one, two]) await hub.followed.catchUp();
    const texts = await Promise.all([one, two].map(({ ask }) => ask('GET', `${PATH}/latest/archive`, { token })));
    expect(texts[0]?.text).toBe(texts[1]?.text);
  });
});

const TIMES = 25;

test('publishing, signing in and asking many times leave no more timers and handles than doing so once', async () => {
  const { ask, publish, hub } = await openTestHub(await openDatabase());
  await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const doAll = async (at: number): Promise<void> => {
    expect(await publish('team', 'pdf', { version: `1.0.${at}`, body: `${at}` })).toMatchObject({ status: 200 });
    const signedIn = await ask('POST', '/api/v1/session', { token: null, json: { token: hub.firstToken } });
    expect(signedIn).toMatchObject({ status: 200 });
    expect(await ask('POST', '/mcp', { json: list, headers })).toMatchObject({ status: 200 });
    expect(await ask('GET', `/api/v1/search?q=pdf%20${at}`)).toMatchObject({ status: 200 });
  };
  const countHeld = (): number => process.getActiveResourcesInfo().length;
  for (let at = 0; at < 3; at += 1) await doAll(at);
  const before = countHeld();
  for (let at = 3; at < TIMES; at += 1) await doAll(at);
  // A leak of one for each time would be above this by far.
  await expect.poll(countHeld).toBeLessThan(before + TIMES / 2);
});

/** Refused before any database hears of it, so one database is enough. */
const BOMBS: readonly (readonly [what: string, status: number, make: () => Uint8Array])[] = [
  ['a small archive of very many zeros', 422, () => gzipSync(tarOf('pdf/a.bin', 60_000_000))],
  ['five thousand files', 422, () => manyFiles()],
  ['more bytes than any skill may have', 413, () => Buffer.alloc(25 * 1024 * 1024)],
  ['an archive that is cut in the middle', 422, () => gzipSync(tarOf('pdf/a.bin', 100_000)).subarray(0, 60)],
];

const BAD_BODIES: readonly (readonly [what: string, status: number, body: string | Buffer])[] = [
  ['JSON that is nested too deeply', 400, '['.repeat(500_000)],
  ['JSON that is too long', 413, `{"policy":"${'x'.repeat(1_100_000)}"}`],
  ['bytes that are no text', 400, Buffer.from([0xff, 0xfe])],
];

test('a hub refuses archives and bodies made to overload it, and accepts the next publish', async () => {
  const { ask, publish } = await openTestHub(await openDatabase());
  await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
  const answers: (readonly [what: string, status: number, next: number])[] = [];
  for (const [at, [what, , make]] of BOMBS.entries()) {
    const bomb = await ask('POST', `${PATH}?version=2.0.${at}`, { bytes: make() });
    const next = await publish('team', 'pdf', { version: `1.0.${at}`, body: what });
    answers.push([what, bomb.status, next.status]);
  }
  expect(answers).toEqual(BOMBS.map(([what, status]) => [what, status, 200]));
  for (const [what, status, body] of BAD_BODIES)
    expect([what, (await ask('PUT', '/api/v1/scopes/team', { bytes: Buffer.from(body) })).status]).toEqual([
      what,
      status,
    ]);
  expect(await ask('GET', '/api/v1/skills/team/pdf')).toMatchObject({ json: { version: '1.0.3' } });
});

/** A tar with one file of zeros. */
function tarOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000644\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.alloc(Math.ceil(size / 512) * 512 + 1024)]);
}

function manyFiles(): Uint8Array {
  const text = skillText({ name: 'pdf', description: 'Fill forms. Use when someone has forms.' });
  const files = Array.from({ length: 5_000 }, (_, at) => ({
    path: `a/${at}.md`,
    executable: false,
    bytes: Buffer.from('x'),
  }));
  return packFiles([{ path: 'SKILL.md', executable: false, bytes: Buffer.from(text) }, ...files], 'tar.gz').bytes;
}
