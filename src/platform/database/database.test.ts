import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, onTestFinished, test } from 'vitest';

import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import type { Outcome } from '../../model/outcome.ts';
import { createDatabase, identifyFile, moveDatabaseAside, type DatabaseFailure } from './database-file.ts';
import { openDatabase, type Database } from './database.ts';

const NOW = { waitMs: 0 };

function openTable(): { database: Database; path: string } {
  const path = join(makeTree(), 'a.db');
  writeFileSync(path, '');
  const database = open(path);
  expect(database.useWriteAheadLog().ok).toBe(true);
  database.write((sql) => sql.execute('CREATE TABLE t (a INTEGER UNIQUE) STRICT'), NOW);
  return { database, path };
}

function open(path: string): Database {
  const opened = openDatabase(path);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.value.close());
  return opened.value;
}

function insert(database: Database, ...values: readonly (number | string)[]): unknown {
  return database.write((sql) => {
    for (const value of values) sql.query('INSERT INTO t VALUES (?)', [value]);
  }, NOW);
}

const listed = (database: Database): unknown => database.read((sql) => sql.query('SELECT a FROM t ORDER BY a'));

describe('a database', () => {
  test('uses a write-ahead log, syncs at checkpoints and enforces foreign keys', () => {
    const { database } = openTable();
    const read = database.read((sql) =>
      ['journal_mode', 'synchronous', 'foreign_keys'].map(
        (name) => Object.values(sql.query(`PRAGMA ${name}`)[0] ?? {})[0],
      ),
    );
    expect(read).toEqual({ ok: true, value: ['wal', 1, 1] });
  });

  test('commits a write as a whole or not at all', () => {
    const { database } = openTable();
    expect(insert(database, 1, 2)).toEqual({ ok: true, value: undefined });
    expect(insert(database, 3, 1)).toMatchObject({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'other',
      message: expect.stringContaining('UNIQUE'),
    });
    expect(insert(database, 4, 'text')).toMatchObject({ ok: false, code: 'STORE_FAILED', trouble: 'other' });
    expect(listed(database)).toEqual({ ok: true, value: [{ a: 1 }, { a: 2 }] });
  });

  test('rethrows a bug in a write and rolls back', () => {
    const { database } = openTable();
    const buggy = (): unknown =>
      database.write((sql) => {
        sql.query('INSERT INTO t VALUES (1)');
        throw new TypeError('a bug');
      }, NOW);
    expect(buggy).toThrow(TypeError);
    expect(listed(database)).toEqual({ ok: true, value: [] });
    expect(insert(database, 1)).toEqual({ ok: true, value: undefined });
  });

  test('shows a reader one state, whatever is written meanwhile', () => {
    const { database, path } = openTable();
    const other = open(path);
    const counts = database.read((sql) => {
      const count = (): unknown => sql.query('SELECT count(*) AS n FROM t')[0]?.['n'];
      const before = count();
      insert(other, 1);
      return [before, count()];
    });
    expect(counts).toEqual({ ok: true, value: [0, 0] });
    expect(listed(database)).toEqual({ ok: true, value: [{ a: 1 }] });
  });

  test('has one writer at a time and tells another that it is locked', () => {
    const { database, path } = openTable();
    const other = open(path);
    const nested = database.write(() => insert(other, 1), NOW);
    expect(nested).toMatchObject({ ok: true, value: { ok: false, code: 'STORE_FAILED', trouble: 'locked' } });
    expect(insert(other, 1)).toMatchObject({ ok: true });
  });

  test('notices if its file was moved or replaced', () => {
    const { database, path } = openTable();
    expect(database.isInPlace()).toBe(true);
    renameSync(path, `${path}.away`);
    expect(database.isInPlace()).toBe(false);
    writeFileSync(path, '');
    expect(database.isInPlace()).toBe(false);
  });
});

describe('opening a database', () => {
  test('creates no file', () => {
    const dir = makeTree();
    expect(openDatabase(join(dir, 'a.db'))).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'missing',
      message: 'not found',
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each(['a directory', 'a FIFO'])('refuses %s without waiting', (what) => {
    const path = join(makeTree(), 'a.db');
    if (what === 'a directory') mkdirSync(path);
    else makeFifo(path);
    expect(openDatabase(path)).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'other',
      message: 'it is not a regular file',
    });
  });

  test('names the broken file', () => {
    const path = join(makeTree({ 'a.db': 'no database at all' }), 'a.db');
    const identity = identifyFile(path);
    expect(openDatabase(path)).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'broken',
      message: 'it is damaged, or no database',
      identity: identity.ok ? identity.value : '',
    });
  });

  test('leaves a file with an older journal mode unchanged', () => {
    const path = join(makeTree(), 'a.db');
    const plain = new DatabaseSync(path);
    plain.exec('CREATE TABLE t (a)');
    plain.close();
    const before = readFileSync(path);
    open(path);
    expect(readFileSync(path)).toEqual(before);
  });
});

describe('a database file', () => {
  const done = (): Outcome<object, DatabaseFailure> => ({ ok: true });

  test('is created with its folder, readable by its owner alone, and appears only when it is ready', () => {
    const path = join(makeTree(), 'x/a.db');
    const made = createDatabase(path, (draft) => {
      expect(existsSync(path)).toBe(false);
      writeFileSync(draft, 'ready');
      return done();
    });
    expect(made).toEqual({ ok: true, value: undefined });
    expect(readFileSync(path, 'utf8')).toBe('ready');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['a.db']);
  });

  test('is not created if preparing it fails, and nothing is left behind', () => {
    const dir = makeTree();
    const failure = { ok: false, code: 'STORE_FAILED', trouble: 'full', message: 'no space left' } as const;
    const made = createDatabase(join(dir, 'a.db'), (draft) => {
      writeFileSync(`${draft}-wal`, '');
      return failure;
    });
    expect(made).toEqual(failure);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is not created over anything, not even a dangling link', () => {
    const dir = makeTree({ 'a.db': link('nowhere/a.db'), 'b.db': 'b' });
    for (const name of ['a.db', 'b.db'])
      expect(createDatabase(join(dir, name), done)).toMatchObject({
        ok: false,
        message: 'something already exists there',
      });
    expect(readdirSync(dir)).toEqual(['a.db', 'b.db']);
    expect(readFileSync(join(dir, 'b.db'), 'utf8')).toBe('b');
  });

  test('is created without the log that an older database left beside it', () => {
    const dir = makeTree({ 'a.db-wal': 'a log', 'a.db-shm': 'its index' });
    createDatabase(join(dir, 'a.db'), done);
    expect(readdirSync(dir)).toEqual(['a.db']);
  });

  test('is moved aside only if it is still the broken one', () => {
    const path = join(makeTree({ 'a.db': 'one', 'a.db-wal': 'log' }), 'a.db');
    const identity = identifyFile(path);
    const mine = identity.ok ? identity.value : '';
    expect(moveDatabaseAside(path, 'another')).toEqual({ ok: true, value: undefined });
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(moveDatabaseAside(path, mine)).toEqual({ ok: true, value: `${path}.broken-1` });
    expect(readFileSync(`${path}.broken-1-wal`, 'utf8')).toBe('log');
    expect(moveDatabaseAside(path, mine)).toEqual({ ok: true, value: undefined });
  });

  test('is moved aside with its log to a name that is free', () => {
    const path = join(makeTree({ 'a.db': '', 'a.db.broken-1': '', 'a.db.broken-2-wal': '' }), 'a.db');
    const identity = identifyFile(path);
    expect(moveDatabaseAside(path, identity.ok ? identity.value : '')).toMatchObject({ value: `${path}.broken-3` });
  });
});
