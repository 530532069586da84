import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { exists, realPath } from '../files/files.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Runs statements within one transaction. */
export interface Sql {
  /** Runs one statement and returns its rows; each statement is prepared once per connection. */
  query(text: string, values?: readonly SQLInputValue[]): readonly Row[];
  /** Runs several statements without values, such as a schema. */
  execute(text: string): void;
}

export interface DatabaseFailure extends Failure {
  readonly trouble: 'locked' | 'full' | 'read-only' | 'broken' | 'newer' | 'other';
}

export type DatabaseResult<T> = Outcome<{ readonly value: T }, DatabaseFailure>;

export function databaseFailure(trouble: DatabaseFailure['trouble'], message: string): DatabaseFailure {
  return { ...fail('STORE_FAILED', message), trouble };
}

/** A connection to a SQLite file. Its failures are values; a thrown error is a bug in `work`. */
export interface SqliteConnection {
  /** True if the place is not writable: later changes by other processes stay invisible. */
  readonly isSnapshot: boolean;
  /** Reads one consistent state of the data. */
  read<T>(work: (sql: Sql) => T): DatabaseResult<T>;
  /** Does all of `work` or none of it; one writer at a time. While it waits for another process, this one blocks. */
  write<T>(work: (sql: Sql) => T, waitMs: number): DatabaseResult<T>;
  /** Runs a statement outside of any transaction, such as a `PRAGMA`. */
  execute(text: string): DatabaseResult<void>;
  close(): void;
}

/**
 * Connects to a file that exists; an empty one is an empty database. Waits `waitMs` for a process that is just creating it. Reads
 * a snapshot where nothing can be written.
 */
export function openSqlite(path: string, waitMs: number = READING_MS): DatabaseResult<SqliteConnection> {
  const opened = openConnection(path, READ_AND_WRITE, waitMs);
  const isUnwritable = !opened.ok && opened.trouble === 'read-only' && !exists(`${realPath(path)}-wal`);
  return isUnwritable ? openConnection(path, SNAPSHOT) : opened;
}

/**
 * Opens another program's database. Without a log nothing is written; a log needs its index file, which SQLite creates
 * if it is missing.
 */
export function openForeignSqlite(path: string): DatabaseResult<SqliteConnection> {
  return openConnection(path, exists(`${path}-wal`) ? READ_ONLY : SNAPSHOT);
}

type Access = Readonly<Record<string, string>>;

/** Without a mode SQLite would create the file. */
const READ_AND_WRITE: Access = { mode: 'rw' };
const READ_ONLY: Access = { mode: 'ro' };
/** On read-only disks SQLite cannot detect other writers; without a log the file is complete. */
const SNAPSHOT: Access = { mode: 'ro', immutable: '1' };

/** How long a read waits for another process. */
const READING_MS = 250;

function openConnection(path: string, access: Access, waitMs: number = READING_MS): DatabaseResult<SqliteConnection> {
  const sqlite = loadSqlite();
  if (sqlite === undefined) return databaseFailure('other', 'this runtime has no SQLite');
  const url = pathToFileURL(path);
  for (const [key, value] of Object.entries(access)) url.searchParams.set(key, value);
  return attemptSql(() => {
    const database = new sqlite.DatabaseSync(url);
    try {
      database.exec(`${waitFor(waitMs)}; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON`);
      // The first read opens related files, and fails if this is not a database.
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      database.close();
      throw error;
    }
    return toConnection(database, access === SNAPSHOT);
  });
}

/** Lazy, since few commands need it. Node 22 warns that SQLite is experimental; every other warning passes. */
function loadSqlite(): typeof import('node:sqlite') | undefined {
  // Called on `process` below, and put back.
  // oxlint-disable-next-line typescript/unbound-method
  const original = process.emitWarning;
  process.emitWarning = (...given: readonly unknown[]): void => {
    const [warning, type] = given;
    if (type !== 'ExperimentalWarning' || !String(warning).startsWith('SQLite is an '))
      Reflect.apply(original, process, given);
  };
  try {
    const sqlite = process.getBuiltinModule('node:sqlite');
    // Runtimes that only imitate Node.js have an empty class.
    return sqlite !== undefined && 'exec' in sqlite.DatabaseSync.prototype ? sqlite : undefined;
  } finally {
    process.emitWarning = original;
  }
}

function waitFor(waitMs: number): string {
  return `PRAGMA busy_timeout = ${Math.trunc(waitMs)}`;
}

function toConnection(database: DatabaseSync, isSnapshot: boolean): SqliteConnection {
  const sql = toSql(database);
  const transact = <T>(begin: string, work: (sql: Sql) => T): DatabaseResult<T> =>
    attemptSql(() => {
      database.exec(begin);
      try {
        const value = work(sql);
        database.exec('COMMIT');
        return value;
      } catch (error) {
        // SQLite rolls back by itself after some failures.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  return {
    isSnapshot,
    read: (work) => transact(`${waitFor(READING_MS)}; BEGIN`, work),
    write: (work, waitMs) => transact(`${waitFor(waitMs)}; BEGIN IMMEDIATE`, work),
    execute: (text) => attemptSql(() => database.exec(text)),
    close: () => database.close(),
  };
}

function toSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>();
  return {
    query(text, values = []) {
      const statement = statements.get(text) ?? database.prepare(text);
      statements.set(text, statement);
      return statement.all(...values);
    },
    execute: (text) => database.exec(text),
  };
}

function attemptSql<T>(call: () => T): DatabaseResult<T> {
  try {
    return { ok: true, value: call() };
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') throw error;
    // The lower byte is the kind of error, the rest is detail.
    const trouble = TROUBLES.get(error.errcode & 0xff) ?? 'other';
    return databaseFailure(trouble, trouble === 'other' ? error.message : REASONS[trouble]);
  }
}

/** By SQLite's result codes: https://www.sqlite.org/rescode.html */
const TROUBLES: ReadonlyMap<number, keyof typeof REASONS> = new Map([
  [5 /* BUSY */, 'locked'],
  [6 /* LOCKED */, 'locked'],
  [15 /* PROTOCOL */, 'locked'],
  [8 /* READONLY */, 'read-only'],
  [13 /* FULL */, 'full'],
  [11 /* CORRUPT */, 'broken'],
  [24 /* FORMAT */, 'broken'],
  [26 /* NOTADB */, 'broken'],
]);

const REASONS = {
  locked: 'another process is using it',
  'read-only': 'it cannot be written',
  full: 'no space left',
  broken: 'it is damaged, or not a database',
} as const;
