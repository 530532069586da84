import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Outcome } from '../../model/outcome.ts';
import { attempt, type SystemFailure } from '../errors.ts';
import { exists, realPath } from '../files/files.ts';
import { makePrivateFolder } from '../files/folders.ts';
import { withLock } from '../files/lock.ts';
import {
  openSqlite,
  openForeignSqlite,
  databaseFailure,
  type SqliteConnection,
  type DatabaseFailure,
  type DatabaseResult,
  type Sql,
} from './sqlite.ts';

/** The tables of a database of ours. */
export interface Schema {
  /** The n-th takes a database from version n - 1 to n. Released migrations never change. */
  readonly migrations: readonly string[];
  /** Tables and views. A database of the newest version without these is not ours. */
  readonly names: readonly string[];
}

/** How long to wait for another process; blocks this process. */
export interface Patience {
  readonly waitMs: number;
}

/** A database of ours: opened on first use, created by the first write, migrated if old, replaced if broken. */
export interface Database {
  /** Reads one consistent state. The value is undefined if there is no file yet; reading creates none. */
  read<T>(work: (sql: Sql) => T): Promise<DatabaseResult<T | undefined>>;
  /** Does all of `work` or none of it. */
  write<T>(work: (sql: Sql) => T, patience: Patience): Promise<DatabaseResult<T | undefined>>;
  /** Empties the log, so that erased bytes are in no file; readers in other processes may prevent it. */
  emptyLog(): void;
  /** It is opened again by the next use. */
  close(): void;
}

/** How often to try again after the file was created, repaired, or replaced by another process. */
const ROUNDS = 5;

/** `onSetAside` is called if the file was broken, with the path where it is kept. */
export function openDatabase(
  path: string,
  schema: Schema,
  onSetAside: (kept: string) => void = () => undefined,
): Database {
  let current: { readonly identity: string; readonly connection: SqliteConnection } | undefined;
  const close = (): void => {
    current?.connection.close();
    current = undefined;
  };
  const tryOnce = <T>(identity: string, work: (sql: Sql) => T, patience?: Patience): Attempt<T> => {
    if (current?.identity !== identity) {
      close();
      const opened = connectTo(path, identity, patience?.waitMs);
      if (opened.state !== 'done') return opened;
      current = { identity, connection: opened.value };
    }
    const tried = workOn(current.connection, schema, work, patience);
    if (current.connection.isSnapshot) close();
    // The file was renamed during the write: write again, to the new one.
    return tried.state === 'done' && patience !== undefined && !isAt(path, identity) ? { state: 'moved' } : tried;
  };
  const perform = async <T>(work: (sql: Sql) => T, patience?: Patience): Promise<DatabaseResult<T | undefined>> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const found = identifyFile(path);
      if (!found.ok) return found;
      const { value: identity } = found;
      if (identity === undefined && patience === undefined) return { ok: true, value: undefined };
      const tried: Attempt<T> = identity === undefined ? UNPREPARED : tryOnce(identity, work, patience);
      if (tried.state === 'done') return { ok: true, value: tried.value };
      close();
      if (tried.state === 'failed') return tried.failure;
      if (tried.state === 'unprepared') {
        const waitMs = Math.max(patience?.waitMs ?? 0, PREPARING_MS);
        const prepared = await locked(path, () => prepare(path, schema, waitMs));
        if (!prepared.ok) return prepared;
      }
      if (tried.state === 'broken') {
        const kept = await locked(path, () => setAside(path, identity));
        if (!kept.ok) return { ...kept, message: `it is broken and could not be set aside: ${kept.message}` };
        if (kept.value !== undefined) onSetAside(kept.value);
      }
    }
    return databaseFailure('other', 'other processes keep replacing it');
  };
  const emptyLog = (): void => void current?.connection.execute('PRAGMA wal_checkpoint(TRUNCATE)');
  return { read: (work) => perform(work), write: perform, emptyLog, close };
}

/** Checks a database without changing it. */
export function inspectDatabase(
  path: string,
  schema: Schema,
): Outcome<{ readonly state: 'ready' | 'missing' }, DatabaseFailure> {
  const found = identifyFile(path);
  if (!found.ok) return found;
  if (found.value === undefined) return { ok: true, state: 'missing' };
  const opened = connectTo(path, found.value);
  const tried = opened.state === 'done' ? workOn(opened.value, schema, () => undefined) : opened;
  if (opened.state === 'done') opened.value.close();
  if (tried.state === 'failed') return tried.failure;
  if (tried.state === 'broken') return databaseFailure('broken', 'it is damaged, or not a database of Skillplane');
  return { ok: true, state: tried.state === 'done' ? 'ready' : 'missing' };
}

/** Opens the database of another program to read it; see `openForeignSqlite`. */
export function openForeignDatabase(path: string): DatabaseResult<Pick<SqliteConnection, 'read' | 'close'>> {
  const found = identifyFile(path);
  if (!found.ok) return found;
  return found.value === undefined ? databaseFailure('other', 'not found') : openForeignSqlite(path);
}

/** `moved`: another process replaced the file meanwhile. `unprepared`: it is missing, empty or old. */
type Attempt<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'moved' | 'unprepared' | 'broken' }
  | { readonly state: 'failed'; readonly failure: DatabaseFailure };

const UNPREPARED = { state: 'unprepared' } as const;

function toAttempt(failure: DatabaseFailure): Attempt<never> {
  return failure.trouble === 'broken' ? { state: 'broken' } : { state: 'failed', failure };
}

function connectTo(path: string, identity: string, waitMs?: number): Attempt<SqliteConnection> {
  const opened = openSqlite(path, waitMs);
  if (isAt(path, identity)) return opened.ok ? { state: 'done', value: opened.value } : toAttempt(opened);
  // The log beside it may belong to its replacement: nothing may be written through this connection.
  if (opened.ok) opened.value.close();
  return { state: 'moved' };
}

/** Reads if there is no patience, else writes. */
function workOn<T>(
  connection: SqliteConnection,
  schema: Schema,
  work: (sql: Sql) => T,
  patience?: Patience,
): Attempt<T> {
  const workIfFit = (sql: Sql): Attempt<T> => findUnfitness(sql, schema) ?? { state: 'done', value: work(sql) };
  const done = patience === undefined ? connection.read(workIfFit) : connection.write(workIfFit, patience.waitMs);
  return done.ok ? done.value : toAttempt(done);
}

/** Checked in every transaction, since another process may change the file at any time. */
function findUnfitness(sql: Sql, { migrations, names }: Schema): Attempt<never> | undefined {
  const version = readVersion(sql);
  if (version < migrations.length) return UNPREPARED;
  if (version > migrations.length) return { state: 'failed', failure: NEWER };
  const found = new Set(sql.query('SELECT name FROM sqlite_schema').map(({ name }) => name));
  return names.every((name) => found.has(name)) ? undefined : { state: 'broken' };
}

const NEWER: DatabaseFailure = databaseFailure(
  'newer',
  'it was created by a newer version of Skillplane; this version does not change it',
);

function readVersion(sql: Sql): number {
  return Number(sql.query('PRAGMA user_version')[0]?.['user_version']);
}

/** Identifies a file across renames; undefined if there is none. Anything but a regular file fails, and is not opened. */
function identifyFile(path: string): DatabaseResult<string | undefined> {
  const stats = attempt(() => statSync(path, { bigint: true }));
  if (!stats.ok) return stats.errno === 'ENOENT' ? { ok: true, value: undefined } : toFailure(stats);
  if (!stats.value.isFile()) return databaseFailure('other', 'it is not a regular file');
  return { ok: true, value: `${stats.value.dev}:${stats.value.ino}` };
}

function isAt(path: string, identity: string): boolean {
  const found = identifyFile(path);
  return found.ok && found.value === identity;
}

/** Holds the file's lock, so that it is never created and set aside at the same time. */
async function locked<T>(path: string, work: () => DatabaseResult<T>): Promise<DatabaseResult<T>> {
  const done = await withLock(path, async () => ({ ok: true, result: work() }));
  return done.ok ? done.result : databaseFailure('other', done.message);
}

/** The files that SQLite keeps beside a database in WAL mode. */
const COMPANIONS = ['-wal', '-shm'];

/** At least so long, since other processes may be writing already. */
const PREPARING_MS = 2_000;

/** Creates the database if there is none, and brings its tables up to date, all of them or none. */
function prepare(path: string, { migrations }: Schema, waitMs: number): DatabaseResult<void> {
  const created = attemptFile(() => {
    if (!exists(path)) createFile(path);
  });
  const opened = created.ok ? openSqlite(path, waitMs) : created;
  if (!opened.ok) return opened;
  // Lets readers work beside a writer, permanently and in every process.
  const logging = opened.value.execute('PRAGMA journal_mode = WAL');
  const migrated = logging.ok ? opened.value.write((sql) => migrate(sql, migrations), waitMs) : logging;
  opened.value.close();
  return migrated;
}

/** Only its owner can read it; SQLite gives the files beside it the same mode. */
function createFile(path: string): void {
  makePrivateFolder(dirname(path));
  // SQLite would apply a log that was left over to the new database.
  for (const ending of COMPANIONS) rmSync(`${path}${ending}`, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
}

function migrate(sql: Sql, migrations: readonly string[]): void {
  const version = readVersion(sql);
  if (version >= migrations.length) return;
  for (const migration of migrations.slice(version)) sql.execute(migration);
  sql.execute(`PRAGMA user_version = ${migrations.length}`);
}

/** Renames a broken file, and returns its new path; undefined if another process has replaced it meanwhile. */
function setAside(path: string, identity: string | undefined): DatabaseResult<string | undefined> {
  return attemptFile(() => {
    if (identity === undefined || !isAt(path, identity)) return undefined;
    const real = realPath(path) ?? path;
    const place = freePlace(real);
    // The database first: processes that have it open keep writing to the files they opened, under their new names.
    for (const ending of ['', ...COMPANIONS])
      if (exists(`${real}${ending}`)) renameSync(`${real}${ending}`, `${place}${ending}`);
    return place;
  });
}

function freePlace(path: string): string {
  let number = 1;
  while (['', ...COMPANIONS].some((ending) => exists(`${path}.broken-${number}${ending}`))) number += 1;
  return `${path}.broken-${number}`;
}

function attemptFile<T>(call: () => T): DatabaseResult<T> {
  const done = attempt(call);
  return done.ok ? done : toFailure(done);
}

function toFailure({ errno, message }: SystemFailure): DatabaseFailure {
  return databaseFailure(SYSTEM_TROUBLES[errno] ?? 'other', message);
}

const SYSTEM_TROUBLES: Readonly<Record<string, DatabaseFailure['trouble']>> = {
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
};
