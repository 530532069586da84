import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, onTestFinished, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../test/support/child.ts';
import { makeFifo } from '../../test/support/fifo.ts';
import { link, makeTree } from '../../test/support/tree.ts';
import { countEvents, recordIn, START, usageEvent, usageEvents } from '../../test/support/usage-events.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { inspectDatabase } from '../platform/database/database.ts';
import { openSqliteUsage, openUsageDatabase } from './sqlite-usage.ts';
import { USAGE_SCHEMA } from './usage-schema.ts';
import type { UsageStore } from './usage-store.ts';

const VERSION = USAGE_SCHEMA.migrations.length;

interface Opened {
  readonly store: UsageStore;
  readonly warnings: readonly Diagnostic[];
}

function openStore(path: string): Opened {
  const warnings: Diagnostic[] = [];
  const store = openSqliteUsage(path, (diagnostic) => warnings.push(diagnostic));
  onTestFinished(() => store.close());
  return { store, warnings };
}

/** A database with these many events, closed. */
async function makeDatabase(path: string, events = 1): Promise<void> {
  const { store } = openStore(path);
  await recordIn(store, ...Array.from({ length: events }, (_, at) => usageEvent({ at: START + at })));
  await store.close();
}

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Code of a process that has `store` on the path given as its first argument, and `event(at)`. */
const STORE_CODE = `
  import { openSqliteUsage } from ${JSON.stringify(sourceUrl('usage/sqlite-usage.ts'))};
  const [path, name] = process.argv.slice(1);
  const warnings = [];
  const store = openSqliteUsage(path, (diagnostic) => warnings.push(diagnostic.code));
  const event = (at) => ({ skill: 'pdf', kind: 'loaded', outcome: 'ok', at, team: 'team', agent: name ?? 'child',
    project: '/project', session: name ?? 'child' });`;

describe('the usage database', () => {
  test('is not created by reading', async () => {
    const dir = makeTree();
    const { store } = openStore(join(dir, 'home/skillplane.db'));
    expect(await store.uses({ team: 'team' })).toEqual({ ok: true, uses: [] });
    expect(await countEvents(store)).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is created with its folder by the first event, readable by its owner alone', async () => {
    const path = join(makeTree(), 'a/b/skillplane.db');
    const { store } = openStore(path);
    await recordIn(store, usageEvent());
    const names = ['skillplane.db', 'skillplane.db-shm', 'skillplane.db-wal'];
    expect(readdirSync(dirname(path)).sort()).toEqual(names);
    for (const name of names) expect(statSync(join(dirname(path), name)).mode & 0o777).toBe(0o600);
    await store.close();
    expect(readdirSync(dirname(path))).toEqual(['skillplane.db']);
  });

  test('is opened again after closing', async () => {
    const { store } = openStore(join(makeTree(), 'skillplane.db'));
    await recordIn(store, usageEvent());
    await store.close();
    await recordIn(store, usageEvent());
    expect(await countEvents(store)).toBe(2);
  });

  test('may be an empty file', async () => {
    const { store, warnings } = openStore(join(makeTree({ 'skillplane.db': '' }), 'skillplane.db'));
    expect(await countEvents(store)).toBe(0);
    await recordIn(store, usageEvent());
    expect(await countEvents(store)).toBe(1);
    expect(warnings).toEqual([]);
  });

  test('may be behind a link and have any name', async () => {
    const dir = makeTree({ 'disk/100% ?#.db': '', 'skillplane.db': link('disk/100% ?#.db') });
    const { store } = openStore(join(dir, 'skillplane.db'));
    await recordIn(store, usageEvent());
    await store.close();
    expect(statSync(join(dir, 'disk/100% ?#.db')).size).toBeGreaterThan(0);
    expect(readdirSync(dir)).toEqual(['disk', 'skillplane.db']);
  });

  test('is created again if it was removed, without losing the event', async () => {
    const path = join(makeTree(), 'skillplane.db');
    const { store } = openStore(path);
    await recordIn(store, usageEvent());
    for (const ending of ['', '-wal', '-shm']) renameSync(`${path}${ending}`, `${path}.old${ending}`);
    await recordIn(store, usageEvent());
    expect(await countEvents(store)).toBe(1);
    expect(await countEvents(openStore(path).store)).toBe(1);
  });

  test.each(['a directory', 'a FIFO', 'below a file'])('fails at once if it is %s', async (what) => {
    const dir = makeTree({ file: '' });
    const path = join(dir, what === 'below a file' ? 'file/skillplane.db' : 'skillplane.db');
    if (what === 'a directory') mkdirSync(path);
    if (what === 'a FIFO') makeFifo(path);
    const { store, warnings } = openStore(path);
    expect(await store.record([usageEvent()], { waitMs: 0 })).toMatchObject({ ok: false, trouble: 'other' });
    expect(await store.uses({ team: 'team' })).toMatchObject({ ok: false, trouble: 'other' });
    expect(warnings).toEqual([]);
  });
});

describe('several processes with one usage database', () => {
  test('lose nothing if they write at the same time', async () => {
    const path = join(makeTree(), 'skillplane.db');
    const code = `${STORE_CODE}
      for (let at = 0; at < 500; at += 1) {
        const recorded = await store.record([event(at)], { waitMs: 20_000 });
        if (!recorded.ok) throw new Error(recorded.message);
      }
      await store.close();
      console.log(JSON.stringify(warnings));`;
    const printed = await Promise.all([runModule(code, [path, 'a']), runModule(code, [path, 'b'])]);
    expect(printed).toEqual([[], []]);
    const { store } = openStore(path);
    expect(await countEvents(store)).toBe(1_000);
    expect(await store.uses({ team: 'team', agent: 'a' })).toMatchObject({ uses: [{ uses: 500 }] });
    expect(await store.uses({ team: 'team' })).toMatchObject({ uses: [{ uses: 1_000 }] });
  });

  test('agree on one new file if they find it broken, and keep the old one', async () => {
    const dir = makeTree({ 'skillplane.db': 'no database', 'skillplane.db-wal': 'its log' });
    const path = join(dir, 'skillplane.db');
    const code = `${STORE_CODE}
      for (let at = 0; at < 20; at += 1) {
        const recorded = await store.record([event(at)], { waitMs: 20_000 });
        if (!recorded.ok) throw new Error(recorded.message);
      }
      await store.close();
      console.log(JSON.stringify(warnings));`;
    const printed = await Promise.all(['a', 'b', 'c', 'd'].map((name) => runModule(code, [path, name])));
    expect(printed.flat()).toEqual(['USAGE_SET_ASIDE']);
    expect(await countEvents(openStore(path).store)).toBe(80);
    expect(readFileSync(`${path}.broken-1`, 'utf8')).toBe('no database');
    expect(existsSync(`${path}.broken-2`)).toBe(false);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('leave no damage and lose nothing recorded if one is killed', async () => {
    const path = join(makeTree(), 'skillplane.db');
    const code = `${STORE_CODE}
      for (let at = 0; ; at += 1) {
        const recorded = await store.record([event(at)], { waitMs: 20_000 });
        if (recorded.ok) process.stdout.write(at + 1 + '\\n');
      }`;
    let recorded = 0;
    for (const [round, lines] of [1, 40, 7].entries()) {
      const child = startModule(code, [path, `round${round}`]);
      let last = 0;
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => {
        printed += String(chunk);
        // The last line may not be complete.
        last = Number(printed.split('\n').at(-2) ?? 0);
        if (last >= lines) child.kill('SIGKILL');
      });
      await once(child, 'close');
      expect(last).toBeGreaterThan(0);
      recorded += last;
      const { store, warnings } = openStore(path);
      const count = await countEvents(store);
      // At most the one that it was about to report is there besides.
      expect([recorded, recorded + 1]).toContain(count);
      expect(warnings).toEqual([]);
      recorded = count;
      await store.close();
      const database = new DatabaseSync(path);
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      expect(database.prepare('SELECT sum(uses) AS uses FROM uses').get()).toEqual({ uses: count });
      database.close();
    }
  });
});

describe('a locked usage database', () => {
  const HOLDER = `
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(process.argv[1]);
    database.exec('BEGIN EXCLUSIVE');
    console.log('held');
    setInterval(() => {}, 1_000);`;

  test('can be read but not written until it is free', async () => {
    const path = join(makeTree(), 'skillplane.db');
    await makeDatabase(path);
    const holder = startModule(HOLDER, [path]);
    await nextLine(holder);
    const { store, warnings } = openStore(path);
    expect(await store.record([usageEvent()], { waitMs: 1 })).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'locked',
      message: 'another process is using it',
    });
    expect(await countEvents(store)).toBe(1);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    await recordIn(store, usageEvent());
    expect(await countEvents(store)).toBe(2);
    expect(warnings).toEqual([]);
  });

  test('is waited for as long as requested', async () => {
    const path = join(makeTree(), 'skillplane.db');
    await makeDatabase(path);
    const holder = startModule(
      HOLDER.replace('setInterval(() => {}, 1_000)', 'setTimeout(() => database.close(), 200)'),
      [path],
    );
    await nextLine(holder);
    await recordIn(openStore(path).store, usageEvent());
    expect(await countEvents(openStore(path).store)).toBe(2);
  });
});

test('a full usage database fails, keeps its content and works again when there is space', async () => {
  const path = join(makeTree(), 'skillplane.db');
  const file = openUsageDatabase(path, () => undefined);
  const store = openSqliteUsage(path, () => undefined, file);
  onTestFinished(() => store.close());
  await recordIn(store, usageEvent());
  const limit = (pages: number): Promise<unknown> =>
    file.write((sql) => sql.query(`PRAGMA max_page_count = ${pages}`), { waitMs: 0 });
  const large = Array.from({ length: 500 }, (_, at) => usageEvent({ skill: `skill-${at}`, at: START + at }));
  await limit(1);
  expect(await store.record(large, { waitMs: 0 })).toEqual({
    ok: false,
    code: 'STORE_FAILED',
    trouble: 'full',
    message: 'no space left',
  });
  expect(await countEvents(store)).toBe(1);
  await recordIn(store, ...large);
  expect(await countEvents(store)).toBe(501);
});

describe('without write permission', () => {
  const CODE = `${STORE_CODE}
    ${DROP_PRIVILEGES}
    const recorded = await store.record([event(1)], { waitMs: 0 });
    const read = await store.uses({ team: 'team' });
    await store.close();
    console.log(JSON.stringify({ recorded, read, warnings }));`;

  test('a usage database can be read but not written, and stays unchanged', async () => {
    const dir = makeTree();
    const path = join(dir, 'skillplane.db');
    await makeDatabase(path);
    const before = readFileSync(path);
    chmodSync(path, 0o444);
    chmodSync(dir, 0o555);
    expect(await runModule(CODE, [path])).toMatchObject({
      recorded: { ok: false, code: 'STORE_FAILED', trouble: 'read-only', message: 'it cannot be written' },
      read: { ok: true, uses: [{ skill: 'pdf', uses: 1 }] },
      warnings: [],
    });
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(dir)).toEqual(['skillplane.db']);
    chmodSync(dir, 0o755);
  });

  test('a usage database shows what other processes write meanwhile', async () => {
    const dir = makeTree();
    const path = join(dir, 'skillplane.db');
    const go = join(makeTree(), 'go');
    chmodSync(dirname(go), 0o755);
    await makeDatabase(path);
    chmodSync(path, 0o444);
    chmodSync(dir, 0o555);
    const reader = startModule(
      `${STORE_CODE}
      import { existsSync } from 'node:fs';
      ${DROP_PRIVILEGES}
      const uses = async () => (await store.uses({ team: 'team' })).uses.map(({ uses }) => uses).join();
      console.log(await uses());
      while (!existsSync(name)) await new Promise((resolve) => setTimeout(resolve, 5));
      console.log(await uses());`,
      [path, go],
    );
    expect(await nextLine(reader)).toBe('1');
    chmodSync(dir, 0o755);
    chmodSync(path, 0o644);
    await makeDatabase(path, 3);
    chmodSync(path, 0o444);
    chmodSync(dir, 0o555);
    writeFileSync(go, '');
    expect(await nextLine(reader)).toBe('4');
    chmodSync(dir, 0o755);
  });

  test('a usage database whose log cannot be read fails instead of giving partial data', async () => {
    const dir = makeTree();
    const path = join(dir, 'skillplane.db');
    const { store } = openStore(path);
    await recordIn(store, usageEvent());
    // As a process leaves it that is killed: the event is in the log alone.
    const killed = join(dir, 'killed');
    mkdirSync(killed);
    for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, join(killed, `usage.db${ending}`));
    for (const ending of ['', '-wal']) chmodSync(join(killed, `usage.db${ending}`), 0o444);
    chmodSync(killed, 0o555);
    chmodSync(dir, 0o755);
    expect(await runModule(CODE, [join(killed, 'usage.db')])).toMatchObject({
      recorded: { ok: false },
      read: { ok: false },
      warnings: [],
    });
    chmodSync(killed, 0o755);
  });

  test('recording usage in a folder without a database fails', async () => {
    const dir = makeTree();
    chmodSync(dir, 0o555);
    expect(await runModule(CODE, [join(dir, 'skillplane.db')])).toMatchObject({
      recorded: { ok: false, message: expect.stringContaining('permission denied') },
      read: { ok: true, uses: [] },
    });
    chmodSync(dir, 0o755);
  });

  test('a broken usage database fails and says so', async () => {
    const dir = makeTree({ 'skillplane.db': 'no database' });
    chmodSync(dir, 0o555);
    chmodSync(join(dir, 'skillplane.db'), 0o666);
    expect(await runModule(CODE, [join(dir, 'skillplane.db')])).toMatchObject({
      recorded: { ok: false, message: expect.stringContaining('it is broken and could not be set aside') },
    });
    chmodSync(dir, 0o755);
  });
});

describe('a broken usage database', () => {
  test.each([
    ['text', 'no database'],
    ['a header and nothing else', 'SQLite format 3\0'],
    ['zeros', new Uint8Array(8_192)],
    ['noise', Uint8Array.from({ length: 8_192 }, (_, at) => (at * 7_919) % 251)],
  ])('that is %s is moved aside with a warning, and a new one is created', async (_what, content) => {
    const path = join(makeTree({ 'skillplane.db': content }), 'skillplane.db');
    const { store, warnings } = openStore(path);
    await recordIn(store, usageEvent());
    expect(await countEvents(store)).toBe(1);
    expect(warnings).toEqual([
      {
        code: 'USAGE_SET_ASIDE',
        severity: 'warning',
        path,
        message: expect.stringContaining(`it is kept as ${path}.broken-1, and a new one is created`),
      },
    ]);
    expect(readFileSync(`${path}.broken-1`)).toEqual(Buffer.from(content));
  });

  test('is also detected by reading', async () => {
    const path = join(makeTree({ 'skillplane.db': 'no database' }), 'skillplane.db');
    const { store, warnings } = openStore(path);
    expect(await store.uses({ team: 'team' })).toEqual({ ok: true, uses: [] });
    expect(warnings).toHaveLength(1);
    expect(readdirSync(dirname(path))).toEqual(['skillplane.db.broken-1']);
  });

  test('that another process has open is moved aside with its log to a free name', async () => {
    const path = join(makeTree({ 'skillplane.db.broken-1': 'first' }), 'skillplane.db');
    await makeDatabase(path, 200);
    const holder = startModule(
      `import { existsSync } from 'node:fs';
      import { DatabaseSync } from 'node:sqlite';
      const [path] = process.argv.slice(1);
      const database = new DatabaseSync(path);
      database.exec('PRAGMA busy_timeout = 5000; UPDATE uses SET uses = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      console.log('open');
      while (!existsSync(path + '.go')) await new Promise((resolve) => setTimeout(resolve, 5));
      try { database.exec("INSERT INTO uses VALUES ('team', 'holder', 'late', 1, 1, 1)"); } catch {}
      console.log('tried');
      setInterval(() => {}, 1_000);`,
      [path],
    );
    await nextLine(holder);
    writeFileSync(path, 'broken'.repeat(1_000), { flag: 'r+' });
    const { store, warnings } = openStore(path);
    await recordIn(store, usageEvent());
    expect(warnings).toMatchObject([{ message: expect.stringContaining(`${path}.broken-2`) }]);
    const names = ['broken-1', 'broken-2', 'broken-2-shm', 'broken-2-wal'];
    expect(readdirSync(dirname(path)).filter((name) => name.includes('broken'))).toEqual(
      names.map((name) => `skillplane.db.${name}`),
    );
    writeFileSync(`${path}.go`, '');
    await nextLine(holder);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(await store.uses({ team: 'team' })).toMatchObject({ ok: true, uses: [{ skill: 'pdf', uses: 1 }] });
    expect(readFileSync(`${path}.broken-1`, 'utf8')).toBe('first');
  });

  test('behind a link is moved aside where the target is', async () => {
    const dir = makeTree({ 'disk/usage.db': 'no database', 'skillplane.db': link('disk/usage.db') });
    const { store } = openStore(join(dir, 'skillplane.db'));
    expect(await store.uses({ team: 'team' })).toEqual({ ok: true, uses: [] });
    expect(readFileSync(join(dir, 'disk/usage.db.broken-1'), 'utf8')).toBe('no database');
  });

  test('with a damaged page inside is detected when that page is needed', async () => {
    const path = join(makeTree(), 'skillplane.db');
    await makeDatabase(path, 2_000);
    const fd = openSync(path, 'r+');
    const pages = statSync(path).size / 4_096;
    for (let page = 2; page < pages; page += 1) writeSync(fd, new Uint8Array(4_096).fill(0xff), 0, 4_096, page * 4_096);
    closeSync(fd);
    const { store, warnings } = openStore(path);
    await recordIn(store, usageEvent());
    expect(warnings.map(({ code }) => code)).toEqual(['USAGE_SET_ASIDE']);
    expect(await countEvents(store)).toBe(1);
  });

  test('may be one of another program that has our version but not our tables', async () => {
    const path = join(makeTree(), 'skillplane.db');
    execute(path, `CREATE TABLE theirs (a); PRAGMA user_version = ${VERSION}`);
    const { store, warnings } = openStore(path);
    await recordIn(store, usageEvent());
    expect(warnings.map(({ code }) => code)).toEqual(['USAGE_SET_ASIDE']);
    execute(`${path}.broken-1`, 'SELECT a FROM theirs');
  });

  test('that another process has replaced is not moved aside twice', async () => {
    const path = join(makeTree(), 'skillplane.db');
    const { store } = openStore(path);
    await recordIn(store, usageEvent());
    // This one is replaced under the open connection, as another process would do it.
    for (const ending of ['', '-wal', '-shm']) renameSync(`${path}${ending}`, `${path}.broken-1${ending}`);
    await makeDatabase(path, 3);
    expect(await countEvents(store)).toBe(3);
    await recordIn(store, usageEvent({ at: START + 9 }));
    expect(await countEvents(openStore(path).store)).toBe(4);
    expect(existsSync(`${path}.broken-2`)).toBe(false);
  });
});

test('an event written while another process moves the usage database aside goes to the new one', async () => {
  const path = join(makeTree(), 'skillplane.db');
  await makeDatabase(path);
  const file = openUsageDatabase(path, () => undefined);
  onTestFinished(() => file.close());
  let times = 0;
  const written = await file.write(
    (sql) => {
      times += 1;
      if (times === 1)
        for (const ending of ['', '-wal', '-shm']) renameSync(`${path}${ending}`, `${path}.broken-1${ending}`);
      return sql.query("INSERT INTO uses VALUES ('team', 'ann', 'late', 1, 1, 1) RETURNING skill");
    },
    { waitMs: 0 },
  );
  expect(written).toEqual({ ok: true, value: [{ skill: 'late' }] });
  expect(times).toBe(2);
  expect(await openStore(path).store.uses({ team: 'team' })).toMatchObject({ uses: [{ skill: 'late' }] });
});

describe('a usage database of a newer version', () => {
  test('is neither read nor written', async () => {
    const path = join(makeTree(), 'skillplane.db');
    await makeDatabase(path);
    execute(path, 'PRAGMA user_version = 99');
    const before = readFileSync(path);
    const { store, warnings } = openStore(path);
    const failure = {
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'newer',
      message: expect.stringContaining('this version does not change it'),
    };
    expect(await store.record([usageEvent()], { waitMs: 0 })).toEqual(failure);
    expect(await store.uses({ team: 'team' })).toEqual(failure);
    expect(await store.history({ until: START, buckets: 1 })).toEqual(failure);
    expect(warnings).toEqual([]);
    await store.close();
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(dirname(path))).toEqual(['skillplane.db']);
  });

  test('is noticed even by a process that has it open', async () => {
    const path = join(makeTree(), 'skillplane.db');
    const { store } = openStore(path);
    await recordIn(store, usageEvent());
    execute(path, `PRAGMA user_version = ${VERSION + 1}`);
    expect(await store.record([usageEvent()], { waitMs: 0 })).toMatchObject({ ok: false, trouble: 'newer' });
  });
});

describe('inspecting the usage database', () => {
  test('tells its state and changes nothing', async () => {
    const dir = makeTree({ broken: 'no database', empty: '' });
    await makeDatabase(join(dir, 'ready'));
    await makeDatabase(join(dir, 'newer'));
    execute(join(dir, 'newer'), 'PRAGMA user_version = 99');
    const names = ['broken', 'empty', 'newer', 'ready'];
    const contents = (): readonly Buffer[] => names.map((name) => readFileSync(join(dir, name)));
    const before = contents();
    const inspect = (name: string): unknown => inspectDatabase(join(dir, name), USAGE_SCHEMA);
    expect(inspect('ready')).toEqual({ ok: true, state: 'ready' });
    expect(inspect('none')).toEqual({ ok: true, state: 'missing' });
    expect(inspect('empty')).toEqual({ ok: true, state: 'missing' });
    expect(inspect('newer')).toMatchObject({ ok: false, trouble: 'newer' });
    expect(inspect('broken')).toMatchObject({ ok: false, trouble: 'broken' });
    expect(contents()).toEqual(before);
    expect(readdirSync(dir)).toEqual(names);
  });
});

test('a usage database of an older version is migrated and keeps its content', async () => {
  const path = join(makeTree(), 'skillplane.db');
  const row = `INSERT INTO callers VALUES (1, 'team', 'ann', '/project', 'session', ${START});
    INSERT INTO events VALUES (${START}, 'pdf', 'loaded', 'ok', 1, '', 1);
    INSERT INTO uses VALUES ('team', 'ann', 'pdf', 1, ${START}, ${START});`;
  execute(path, `${USAGE_SCHEMA.migrations[0] ?? ''}; ${row} PRAGMA user_version = 1`);
  const { store, warnings } = openStore(path);
  const found = [{ id: 'codex 1', events: [usageEvents({ agent: 'codex' })] }];
  expect(await store.import({ found, readings: [] }, { waitMs: 0 })).toEqual({ ok: true, added: 1 });
  expect(await countEvents(store)).toBe(2);
  expect(warnings).toEqual([]);
});
