import type { Diagnostic } from '../model/diagnostic.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import {
  createDatabase,
  databaseFailure,
  identifyFile,
  moveDatabaseAside,
  type DatabaseFailure,
  type DatabaseResult,
} from '../platform/database/database-file.ts';
import { openDatabase, type Database, type Patience, type Sql } from '../platform/database/database.ts';
import { withLock } from '../platform/files/lock.ts';
import { MIGRATIONS, SCHEMA_NAMES, SCHEMA_VERSION } from './usage-schema.ts';
import type { UsageFailure } from './usage-store.ts';

/** The database of uses: opened on first use, prepared if new, replaced if broken. */
export interface UsageFile {
  /** The value is undefined if there is no file yet; reading creates none. */
  read<T>(work: (sql: Sql) => T): Promise<FileResult<T | undefined>>;
  write<T>(work: (sql: Sql) => T, patience: Patience): Promise<FileResult<T | undefined>>;
  /** Sees to it that erased bytes are in no file any more. */
  sweep(): void;
  close(): void;
}

type FileResult<T> = Outcome<{ readonly value: T }, UsageFailure>;

export type Warn = (diagnostic: Diagnostic) => void;

/** How often to try again after the file was created, repaired, or replaced by another process. */
const ROUNDS = 5;

export function openUsageFile(path: string, warn: Warn): UsageFile {
  let current: Database | undefined;
  const drop = (): void => {
    current?.close();
    current = undefined;
  };
  const connect = (): DatabaseResult<Database> => {
    if (current?.isInPlace() === true) return { ok: true, value: current };
    drop();
    const opened = openDatabase(path);
    if (opened.ok) current = opened.value;
    return opened;
  };
  const perform = async <T>(work: (sql: Sql) => T, patience?: Patience): Promise<FileResult<T | undefined>> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tried = tryOnce(connect(), work, patience);
      if (current?.isSnapshot === true) drop();
      if (tried.state === 'done') return { ok: true, value: tried.value };
      if (tried.state === 'missing' && patience === undefined) return { ok: true, value: undefined };
      drop();
      if (tried.state === 'failed') return tried.failure;
      if (tried.state === 'moved') continue;
      const renewed = await (tried.state === 'broken' ? setAside(path, tried.identity, warn) : prepare(path));
      if (!renewed.ok) return toFailure(renewed);
    }
    return usageFailure('other', 'other processes keep replacing it');
  };
  return { read: (work) => perform(work), write: perform, sweep: () => current?.emptyLog(), close: drop };
}

type Attempt<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'missing' | 'unprepared' | 'moved' }
  | { readonly state: 'broken'; readonly identity: string }
  | { readonly state: 'failed'; readonly failure: UsageFailure };

function tryOnce<T>(opened: DatabaseResult<Database>, work: (sql: Sql) => T, patience?: Patience): Attempt<T> {
  if (!opened.ok) return judgeFailure(opened, opened.identity);
  const { value: database } = opened;
  const workIfFit = (sql: Sql): { readonly value: T } | { readonly unfit: Unfitness } => {
    const unfit = findUnfitness(sql);
    return unfit === undefined ? { value: work(sql) } : { unfit };
  };
  const done = patience === undefined ? database.read(workIfFit) : database.write(workIfFit, patience);
  if (!done.ok) return judgeFailure(done, database.identity);
  if ('unfit' in done.value) return judgeUnfitness(done.value.unfit, database.identity);
  // The file was set aside during the write: write again, to the new one.
  if (patience !== undefined && !database.isInPlace()) return { state: 'moved' };
  return { state: 'done', value: done.value.value };
}

function judgeFailure(failure: DatabaseFailure, identity: string | undefined): Attempt<never> {
  if (failure.trouble === 'missing' || failure.trouble === 'moved') return { state: failure.trouble };
  if (failure.trouble === 'broken' && identity !== undefined) return { state: 'broken', identity };
  return { state: 'failed', failure: toFailure(failure) };
}

function judgeUnfitness(unfit: Unfitness, identity: string): Attempt<never> {
  if (unfit === 'foreign') return { state: 'broken', identity };
  return unfit === 'newer' ? { state: 'failed', failure: NEWER } : { state: 'unprepared' };
}

/** Why an intact database cannot be used: empty or old, of a newer version, or of another program. */
type Unfitness = 'unprepared' | 'newer' | 'foreign';

/** Checked in every transaction, since another process may change the file at any time. */
function findUnfitness(sql: Sql): Unfitness | undefined {
  const version = readVersion(sql);
  if (version < SCHEMA_VERSION) return 'unprepared';
  if (version > SCHEMA_VERSION) return 'newer';
  const names = new Set(sql.query('SELECT name FROM sqlite_schema').map(({ name }) => name));
  return SCHEMA_NAMES.every((name) => names.has(name)) ? undefined : 'foreign';
}

function readVersion(sql: Sql): number {
  return Number(sql.query('PRAGMA user_version')[0]?.['user_version']);
}

const NEWER: UsageFailure = usageFailure('newer', 'a newer version of Skillplane created it; this one leaves it alone');

function usageFailure(trouble: UsageFailure['trouble'], message: string): UsageFailure {
  return { ...fail('STORE_FAILED', message), trouble };
}

/** Creates the database if there is none, and brings the schema of an old or empty one up to date. */
function prepare(path: string): Promise<Outcome<object, DatabaseFailure>> {
  return locked(path, () => {
    const found = identifyFile(path);
    return !found.ok && found.trouble === 'missing' ? createDatabase(path, bringUpToDate) : bringUpToDate(path);
  });
}

function bringUpToDate(path: string): Outcome<object, DatabaseFailure> {
  const opened = openDatabase(path);
  if (!opened.ok) return opened;
  const logging = opened.value.useWriteAheadLog();
  const migrated = logging.ok ? opened.value.write(migrate, PREPARING) : logging;
  opened.value.close();
  return migrated;
}

/** Other processes may be writing already. */
const PREPARING: Patience = { waitMs: 2_000 };

function migrate(sql: Sql): void {
  const version = readVersion(sql);
  if (version >= SCHEMA_VERSION) return;
  for (const migration of MIGRATIONS.slice(version)) sql.execute(migration);
  sql.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Renames a broken file, so that a new one can be created; one of several processes does it. */
async function setAside(path: string, identity: string, warn: Warn): Promise<Outcome<object, DatabaseFailure>> {
  const moved = await locked(path, () => moveDatabaseAside(path, identity));
  if (!moved.ok) return { ...moved, message: `it is broken and could not be set aside: ${moved.message}` };
  if (moved.value !== undefined) {
    const message = `it was damaged, or not a database of Skillplane; it is kept as ${moved.value}, and a new one is created`;
    warn({ code: 'USAGE_SET_ASIDE', severity: 'warning', path, message });
  }
  return { ok: true };
}

/** Holds the file's lock, so that it is never created and set aside at the same time. */
async function locked<T>(path: string, work: () => Outcome<T, DatabaseFailure>): Promise<Outcome<T, DatabaseFailure>> {
  const done = await withLock(path, async () => ({ ok: true, outcome: work() }));
  return done.ok ? done.outcome : databaseFailure('other', done.message);
}

function toFailure({ trouble, message }: DatabaseFailure): UsageFailure {
  return usageFailure(trouble === 'missing' || trouble === 'moved' ? 'other' : trouble, message);
}

/** Checks the database without changing it. */
export function inspectUsageFile(path: string): Outcome<{ readonly state: 'ready' | 'missing' }, UsageFailure> {
  const opened = openDatabase(path);
  const tried = tryOnce(opened, () => undefined);
  if (opened.ok) opened.value.close();
  if (tried.state === 'failed') return tried.failure;
  if (tried.state === 'broken') return usageFailure('broken', 'it is damaged, or not a database of Skillplane');
  return { ok: true, state: tried.state === 'done' ? 'ready' : 'missing' };
}
