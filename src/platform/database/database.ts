import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import type { Outcome } from '../../model/outcome.ts';
import { exists, realPath } from '../files/files.ts';
import { databaseFailure, identifyFile, type DatabaseFailure, type DatabaseResult } from './database-file.ts';
import { withoutExperimentalWarning } from './experimental-warning.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Runs statements within one transaction. */
export interface Sql {
  /** Runs one statement and returns its rows; each statement is prepared once per connection. */
  query(text: string, values?: readonly SQLInputValue[]): readonly Row[];
  /** Runs several statements without values, such as a schema. */
  execute(text: string): void;
}

/** How long to wait for another process; this process blocks meanwhile. */
export interface Patience {
  readonly waitMs: number;
}

/** An open SQLite file. Its failures are values; a thrown error is a bug in `work`. */
export interface Database {
  /** See `identifyFile`. */
  readonly identity: string;
  /** True if the place is not writable: later changes by other processes stay invisible. */
  readonly isSnapshot: boolean;
  /** Does the path still lead to this file? */
  isInPlace(): boolean;
  /** Reads one consistent state of the data. */
  read<T>(work: (sql: Sql) => T): DatabaseResult<T>;
  /** Does all of `work` or none of it; one writer at a time. */
  write<T>(work: (sql: Sql) => T, patience: Patience): DatabaseResult<T>;
  /** Empties the log, so that bytes that were overwritten are in no file; readers in other processes may prevent it. */
  emptyLog(): void;
  /** Lets readers work beside a writer, permanently and in every process. */
  useWriteAheadLog(): Outcome<object, DatabaseFailure>;
  close(): void;
}

const READING: Patience = { waitMs: 250 };

/** Opens a database that exists; an empty file is an empty database. */
export function openDatabase(path: string): DatabaseResult<Database> {
  const identity = identifyFile(path);
  if (!identity.ok) return identity;
  const sqlite = loadSqlite();
  if (sqlite === undefined) return databaseFailure('other', 'this Node.js was built without SQLite');
  const attemptAs = (access: Access): DatabaseResult<DatabaseSync> =>
    attemptSql(() => connect(new sqlite.DatabaseSync(toUrl(path, access))));
  const direct = attemptAs(READ_AND_WRITE);
  const isSnapshot = !direct.ok && direct.trouble === 'read-only' && !exists(`${realPath(path)}-wal`);
  const opened = isSnapshot ? attemptAs(SNAPSHOT) : direct;
  const found = identifyFile(path);
  if (found.ok && found.value === identity.value) {
    if (!opened.ok) return { ...opened, identity: identity.value };
    return { ok: true, value: toDatabase(opened.value, { path, identity: identity.value, isSnapshot }) };
  }
  // The files beside it may belong to its replacement: nothing may be written through this connection.
  if (opened.ok) opened.value.close();
  return databaseFailure('moved', 'another process has just replaced it');
}

/**
 * Opens the database of another program to read it. Without a log beside it nothing at all is written; a log needs its index
 * file, which SQLite creates if the other program left none.
 */
export function openForeignDatabase(path: string): DatabaseResult<Pick<Database, 'read' | 'close'>> {
  const identity = identifyFile(path);
  if (!identity.ok) return identity;
  const sqlite = loadSqlite();
  if (sqlite === undefined) return databaseFailure('other', 'this Node.js was built without SQLite');
  const access = exists(`${path}-wal`) ? READ_ONLY : SNAPSHOT;
  const opened = attemptSql(() => connect(new sqlite.DatabaseSync(toUrl(path, access))));
  if (!opened.ok) return opened;
  return { ok: true, value: toDatabase(opened.value, { path, identity: identity.value, isSnapshot: true }) };
}

/** Lazy, since few commands need it. Node 22 warns that it is experimental. */
function loadSqlite(): typeof import('node:sqlite') | undefined {
  return withoutExperimentalWarning('SQLite', () => process.getBuiltinModule('node:sqlite'));
}

type Access = Readonly<Record<string, string>>;

/** Without a mode SQLite would create the file. */
const READ_AND_WRITE: Access = { mode: 'rw' };
const READ_ONLY: Access = { mode: 'ro' };
/** Where nothing can be written, SQLite cannot watch for other writers; without a log beside it the file is complete. */
const SNAPSHOT: Access = { mode: 'ro', immutable: '1' };

function toUrl(path: string, access: Access): URL {
  const url = pathToFileURL(path);
  for (const [key, value] of Object.entries(access)) url.searchParams.set(key, value);
  return url;
}

/** The first read opens the files beside it, and fails if this is no database. */
function connect(connection: DatabaseSync): DatabaseSync {
  try {
    connection.exec(`${waitFor(READING)}; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON`);
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function waitFor({ waitMs }: Patience): string {
  return `PRAGMA busy_timeout = ${Math.trunc(waitMs)}`;
}

interface Place {
  readonly path: string;
  readonly identity: string;
  readonly isSnapshot: boolean;
}

function toDatabase(connection: DatabaseSync, { path, identity, isSnapshot }: Place): Database {
  const sql = toSql(connection);
  const transact = <T>(begin: string, work: (sql: Sql) => T): T => {
    connection.exec(begin);
    try {
      const value = work(sql);
      connection.exec('COMMIT');
      return value;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
  return {
    identity,
    isSnapshot,
    isInPlace() {
      const found = identifyFile(path);
      return found.ok && found.value === identity;
    },
    read: (work) => attemptSql(() => transact(`${waitFor(READING)}; BEGIN`, work)),
    write: (work, patience) => attemptSql(() => transact(`${waitFor(patience)}; BEGIN IMMEDIATE`, work)),
    emptyLog() {
      attemptSql(() => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    },
    useWriteAheadLog: () => attemptSql(() => connection.exec('PRAGMA journal_mode = WAL')),
    close: () => connection.close(),
  };
}

function toSql(connection: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>();
  return {
    query(text, values = []) {
      const statement = statements.get(text) ?? connection.prepare(text);
      statements.set(text, statement);
      return statement.all(...values);
    },
    execute: (text) => connection.exec(text),
  };
}

/** SQLite rolls back by itself after some failures; a second rollback then fails, which is fine. */
function rollBack(connection: DatabaseSync): void {
  attemptSql(() => connection.exec('ROLLBACK'));
}

function attemptSql<T>(call: () => T): DatabaseResult<T> {
  try {
    return { ok: true, value: call() };
  } catch (error) {
    const failure = explainError(error);
    if (failure === undefined) throw error;
    return failure;
  }
}

function explainError(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  // The lower byte is the kind of error, the rest is detail.
  const trouble = TROUBLES.get(error.errcode & 0xff) ?? 'other';
  return databaseFailure(trouble, trouble === 'other' ? error.message : REASONS[trouble]);
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
  locked: 'another process holds it',
  'read-only': 'it cannot be written',
  full: 'no space left',
  broken: 'it is damaged, or no database',
} as const;
