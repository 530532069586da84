import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { exists, realPath } from '../files/files.ts';
import { identifyFile, type DatabaseFailure, type DatabaseOutcome } from './database-file.ts';
import { withoutExperimentalWarning } from './experimental-warning.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** The statements of one transaction. */
export interface Sql {
  /** One statement, prepared once a connection, and the rows that it gives. */
  query(text: string, values?: readonly SQLInputValue[]): readonly Row[];
  /** Several statements without values, such as a schema. */
  execute(text: string): void;
}

/** How long another process is waited for; the whole process stands still meanwhile. */
export interface Patience {
  readonly waitMs: number;
}

/** An open SQLite file. What can go wrong with one is a value; a thrown error is a bug in `work`. */
export interface Database {
  /** Which file this is; see `identifyFile`. */
  readonly identity: string;
  /** What others change from now on is not seen, since the place is not writable. */
  readonly isSnapshot: boolean;
  /** Is it still the file that its path leads to? */
  isInPlace(): boolean;
  /** Reads one state of the data. */
  read<T>(work: (sql: Sql) => T): DatabaseOutcome<T>;
  /** Does all of `work` or nothing of it, and one writer at a time. */
  write<T>(work: (sql: Sql) => T, patience: Patience): DatabaseOutcome<T>;
  /** Lets readers and a writer work at once, from now on and for everybody. */
  useWriteAheadLog(): DatabaseOutcome<void>;
  close(): void;
}

const READING: Patience = { waitMs: 250 };

/** Opens a database that exists; an empty file is an empty database. */
export function openDatabase(path: string): DatabaseOutcome<Database> {
  const identity = identifyFile(path);
  if (!identity.ok) return identity;
  const sqlite = loadSqlite();
  if (sqlite === undefined) return { ok: false, trouble: 'other', reason: 'this Node.js comes without SQLite' };
  const attemptAs = (access: Access): DatabaseOutcome<DatabaseSync> =>
    attemptSql(() => connect(new sqlite.DatabaseSync(toUrl(path, access))));
  const direct = attemptAs(READ_AND_WRITE);
  const isSnapshot = !direct.ok && direct.trouble === 'read-only' && !exists(`${realPath(path)}-wal`);
  const opened = isSnapshot ? attemptAs(SNAPSHOT) : direct;
  const found = identifyFile(path);
  if (found.ok && found.value === identity.value) {
    if (!opened.ok) return { ...opened, identity: identity.value };
    return { ok: true, value: toDatabase(opened.value, { path, identity: identity.value, isSnapshot }) };
  }
  // Its companions may be those of the file that took its place: nothing may be written through this connection.
  if (opened.ok) opened.value.close();
  return { ok: false, trouble: 'moved', reason: 'it was replaced at this moment' };
}

/** Loaded when it is needed, since few commands do. On Node 22 it calls itself experimental. */
function loadSqlite(): typeof import('node:sqlite') | undefined {
  return withoutExperimentalWarning('SQLite', () => process.getBuiltinModule('node:sqlite'));
}

type Access = Readonly<Record<string, string>>;

/** Without a mode SQLite would make the file. */
const READ_AND_WRITE: Access = { mode: 'rw' };
/** Where nothing can be written, SQLite cannot watch for others; without a log beside it the file is complete. */
const SNAPSHOT: Access = { mode: 'ro', immutable: '1' };

function toUrl(path: string, access: Access): URL {
  const url = pathToFileURL(path);
  for (const [key, value] of Object.entries(access)) url.searchParams.set(key, value);
  return url;
}

/** The first read opens what lies beside the file, and shows whether it is a database at all. */
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

/** After some failures SQLite has rolled back by itself, and says so. */
function rollBack(connection: DatabaseSync): void {
  attemptSql(() => connection.exec('ROLLBACK'));
}

function attemptSql<T>(call: () => T): DatabaseOutcome<T> {
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
  // The lower byte is the kind, the rest its details.
  const trouble = TROUBLES.get(error.errcode & 0xff) ?? 'other';
  return { ok: false, trouble, reason: trouble === 'other' ? error.message : REASONS[trouble] };
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
  full: 'no space is left',
  broken: 'it is damaged, or no database',
} as const;
