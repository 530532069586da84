import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, onTestFinished, test } from 'vitest';

import { runModule, sourceUrl } from '../../../test/support/child.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { openSqlite, type SqliteConnection } from './sqlite.ts';

function openTable(): { connection: SqliteConnection; path: string } {
  const path = join(makeTree(), 'a.db');
  writeFileSync(path, '');
  const connection = open(path);
  connection.execute('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER UNIQUE) STRICT');
  return { connection, path };
}

function open(path: string): SqliteConnection {
  const opened = openSqlite(path);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.value.close());
  return opened.value;
}

function insert(connection: SqliteConnection, ...values: readonly (number | string)[]): unknown {
  return connection.write((sql) => {
    for (const value of values) sql.query('INSERT INTO t VALUES (?)', [value]);
  }, 0);
}

const listed = (connection: SqliteConnection): unknown =>
  connection.read((sql) => sql.query('SELECT a FROM t ORDER BY a'));

describe('a connection to a database', () => {
  test('syncs at checkpoints and enforces foreign keys', () => {
    const { connection } = openTable();
    const read = connection.read((sql) =>
      ['synchronous', 'foreign_keys'].map((name) => Object.values(sql.query(`PRAGMA ${name}`)[0] ?? {})[0]),
    );
    expect(read).toEqual({ ok: true, value: [1, 1] });
  });

  test('commits a write as a whole or not at all', () => {
    const { connection } = openTable();
    expect(insert(connection, 1, 2)).toEqual({ ok: true, value: undefined });
    expect(insert(connection, 3, 1)).toMatchObject({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'other',
      message: expect.stringContaining('UNIQUE'),
    });
    expect(insert(connection, 4, 'text')).toMatchObject({ ok: false, code: 'STORE_FAILED', trouble: 'other' });
    expect(listed(connection)).toEqual({ ok: true, value: [{ a: 1 }, { a: 2 }] });
  });

  test('rethrows a bug in a write and rolls back', () => {
    const { connection } = openTable();
    const buggy = (): unknown =>
      connection.write((sql) => {
        sql.query('INSERT INTO t VALUES (1)');
        throw new TypeError('a bug');
      }, 0);
    expect(buggy).toThrow(TypeError);
    expect(listed(connection)).toEqual({ ok: true, value: [] });
    expect(insert(connection, 1)).toEqual({ ok: true, value: undefined });
  });

  test('shows a reader one state, whatever is written meanwhile', () => {
    const { connection, path } = openTable();
    const other = open(path);
    const counts = connection.read((sql) => {
      const count = (): unknown => sql.query('SELECT count(*) AS n FROM t')[0]?.['n'];
      const before = count();
      insert(other, 1);
      return [before, count()];
    });
    expect(counts).toEqual({ ok: true, value: [0, 0] });
    expect(listed(connection)).toEqual({ ok: true, value: [{ a: 1 }] });
  });

  test('is one of many of which a single one writes, and the others hear that the database is locked', () => {
    const { connection, path } = openTable();
    const other = open(path);
    const nested = connection.write(() => insert(other, 1), 0);
    expect(nested).toMatchObject({ ok: true, value: { ok: false, code: 'STORE_FAILED', trouble: 'locked' } });
    expect(insert(other, 1)).toMatchObject({ ok: true });
  });

  test('fails if the file is not a database', () => {
    const path = join(makeTree({ 'a.db': 'no database at all' }), 'a.db');
    expect(openSqlite(path)).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      trouble: 'broken',
      message: 'it is damaged, or not a database',
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

describe('the warning that SQLite is experimental', () => {
  const REMARK = 'SQLite is an experimental feature and might change at any time';

  /** Runs a process in which loading SQLite has these effects, and returns its warnings. */
  function warningsOf(loading: string): Promise<unknown> {
    return runModule(`
      import { openSqlite } from ${JSON.stringify(sourceUrl('platform/database/sqlite.ts'))};
      const warnings = [];
      process.on('warning', ({ message }) => warnings.push(message));
      const remark = ${JSON.stringify(REMARK)};
      const { emitWarning, getBuiltinModule } = process;
      process.getBuiltinModule = (name) => { ${loading}; return getBuiltinModule(name); };
      try { openSqlite('nowhere.db'); } catch (error) { process.emitWarning(error.message); }
      if (process.emitWarning !== emitWarning) throw new Error('it is patched');
      await new Promise(setImmediate);
      console.log(JSON.stringify(warnings));`);
  }

  test('is suppressed while SQLite is loaded, and no other warning is', async () => {
    expect(await warningsOf(`process.emitWarning(remark, 'ExperimentalWarning')`)).toEqual([]);
    const others = `
      process.emitWarning('Other is an experimental feature', 'ExperimentalWarning');
      process.emitWarning(remark, 'OtherWarning');
      process.emitWarning(new Error('an error'))`;
    expect(await warningsOf(others)).toEqual(['Other is an experimental feature', REMARK, 'an error']);
  });

  test('is shown again afterwards, even if loading failed', async () => {
    expect(await warningsOf(`throw new Error('no such module')`)).toEqual(['no such module']);
  });
});

test('opening a database prints nothing, and importing its code does not load SQLite', () => {
  const code = `
    import { openSqlite } from ${JSON.stringify(sourceUrl('platform/database/sqlite.ts'))};
    const isLoaded = () => process.moduleLoadList.some((name) => name.endsWith(' sqlite'));
    const before = isLoaded();
    openSqlite(process.execPath);
    console.log(before, isLoaded());`;
  const args = ['-c', '"$0" --input-type=module --eval "$1" 2>&1', process.execPath, code];
  expect(execFileSync('sh', args, { encoding: 'utf8' })).toBe('false true\n');
});
