import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { runModule, sourceUrl } from '../../../test/support/child.ts';
import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { openDatabase, type Database, type Schema } from './database.ts';

const SCHEMA: Schema = { migrations: ['CREATE TABLE t (a INTEGER)'], names: ['t'] };
const NOW = { waitMs: 0 };

function open(path: string, schema: Schema = SCHEMA): { database: Database; kept: readonly string[] } {
  const kept: string[] = [];
  const database = openDatabase(path, schema, (place) => kept.push(place));
  onTestFinished(() => database.close());
  return { database, kept };
}

const insert = (database: Database, value: number): Promise<unknown> =>
  database.write((sql) => sql.query('INSERT INTO t VALUES (?) RETURNING a', [value]), NOW);

const listed = (database: Database): Promise<unknown> =>
  database.read((sql) => sql.query('SELECT a FROM t ORDER BY a').map(({ a }) => a));

describe('a database of ours', () => {
  test('is created with its folder by the first write, for its owner alone', async () => {
    const path = join(makeTree(), 'x/a.db');
    const { database } = open(path);
    expect(await listed(database)).toEqual({ ok: true, value: undefined });
    expect(existsSync(dirname(path))).toBe(false);
    expect(await insert(database, 1)).toEqual({ ok: true, value: [{ a: 1 }] });
    for (const name of ['a.db', 'a.db-wal', 'a.db-shm'])
      expect(statSync(join(dirname(path), name)).mode & 0o777).toBe(0o600);
    expect(await listed(database)).toEqual({ ok: true, value: [1] });
    database.close();
    expect(readdirSync(dirname(path))).toEqual(['a.db']);
  });

  test('has all of its tables or none, and is finished by the next process if one was killed while creating it', async () => {
    const path = join(makeTree({ 'a.db': '' }), 'a.db');
    const flawed = { migrations: ['CREATE TABLE t (a INTEGER)', 'nonsense'], names: ['t'] };
    expect(await insert(open(path, flawed).database, 1)).toMatchObject({ ok: false, trouble: 'other' });
    const { database, kept } = open(path);
    expect(await insert(database, 1)).toMatchObject({ ok: true });
    expect(kept).toEqual([]);
  });

  test('is created once by many processes that all write at once', async () => {
    const path = join(makeTree(), 'a.db');
    const code = `
      import { openDatabase } from ${JSON.stringify(sourceUrl('platform/database/database.ts'))};
      const database = openDatabase(process.argv[1], ${JSON.stringify(SCHEMA)}, () => { throw new Error('broken'); });
      const written = await database.write((sql) => sql.query('INSERT INTO t VALUES (1)'), { waitMs: 20_000 });
      database.close();
      console.log(JSON.stringify(written.ok ? '' : written.message));`;
    const said = await Promise.all(Array.from({ length: 6 }, () => runModule(code, [path])));
    expect(said).toEqual(['', '', '', '', '', '']);
    expect(await listed(open(path).database)).toEqual({ ok: true, value: [1, 1, 1, 1, 1, 1] });
    expect(readdirSync(dirname(path)).filter((name) => !name.startsWith('a.db-'))).toEqual(['a.db']);
  });

  test('is not created over a dangling link', async () => {
    const dir = makeTree({ 'a.db': link('nowhere/a.db') });
    expect(await insert(open(join(dir, 'a.db')).database, 1)).toMatchObject({
      ok: false,
      message: 'something already exists there',
    });
    expect(readdirSync(dir)).toEqual(['a.db']);
  });

  test('is created without the log that an older database left beside it', async () => {
    const dir = makeTree({ 'a.db-wal': 'a log', 'a.db-shm': 'its index' });
    const { database } = open(join(dir, 'a.db'));
    await insert(database, 1);
    database.close();
    expect(readdirSync(dir)).toEqual(['a.db']);
  });

  test.each(['a directory', 'a FIFO'])('is refused without waiting if it is %s', async (what) => {
    const path = join(makeTree(), 'a.db');
    if (what === 'a directory') mkdirSync(path);
    else makeFifo(path);
    const failure = { ok: false, code: 'STORE_FAILED', trouble: 'other', message: 'it is not a regular file' };
    expect(await listed(open(path).database)).toEqual(failure);
    expect(await insert(open(path).database, 1)).toEqual(failure);
  });

  test('is opened again if its file was moved or replaced', async () => {
    const path = join(makeTree(), 'a.db');
    const { database } = open(path);
    await insert(database, 1);
    for (const ending of ['', '-wal', '-shm']) renameSync(`${path}${ending}`, `${path}.away${ending}`);
    expect(await listed(database)).toEqual({ ok: true, value: undefined });
    await insert(database, 2);
    expect(await listed(database)).toEqual({ ok: true, value: [2] });
  });

  test('that is broken is kept under a free name with its log, and a new one is created', async () => {
    const path = join(makeTree({ 'a.db': 'broken', 'a.db.broken-1': '', 'a.db.broken-2-wal': '' }), 'a.db');
    writeFileSync(`${path}-wal`, 'log');
    const { database, kept } = open(path);
    expect(await insert(database, 1)).toMatchObject({ ok: true });
    expect(kept).toEqual([`${path}.broken-3`]);
    expect(readFileSync(`${path}.broken-3`, 'utf8')).toBe('broken');
  });
});
