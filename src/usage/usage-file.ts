import type { Diagnostic } from '../model/diagnostic.ts';
import {
  createDatabase,
  identifyFile,
  moveDatabaseAside,
  type DatabaseFailure,
  type DatabaseOutcome,
} from '../platform/database/database-file.ts';
import { openDatabase, type Database, type Patience, type Sql } from '../platform/database/database.ts';
import { withLock } from '../platform/files/lock.ts';
import { MIGRATIONS, SCHEMA_NAMES, SCHEMA_VERSION } from './usage-schema.ts';
import type { UsageAnswer, UsageFailure } from './usage-store.ts';

/** The database of uses: opened when it is first needed, prepared where it is new, replaced where it is broken. */
export interface UsageFile {
  /** Undefined where there is no file yet; reading makes none. */
  read<T>(work: (sql: Sql) => T): Promise<UsageAnswer<T | undefined>>;
  write<T>(work: (sql: Sql) => T, patience: Patience): Promise<UsageAnswer<T | undefined>>;
  close(): void;
}

export type Warn = (diagnostic: Diagnostic) => void;

/** How often it is tried again after the file was made, mended, or replaced by another process. */
const ROUNDS = 5;

export function openUsageFile(path: string, warn: Warn): UsageFile {
  let current: Database | undefined;
  const drop = (): void => {
    current?.close();
    current = undefined;
  };
  const connect = (): DatabaseOutcome<Database> => {
    if (current?.isInPlace() === true) return { ok: true, value: current };
    drop();
    const opened = openDatabase(path);
    if (opened.ok) current = opened.value;
    return opened;
  };
  const perform = async <T>(work: (sql: Sql) => T, patience?: Patience): Promise<UsageAnswer<T | undefined>> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tried = tryOnce(connect(), work, patience);
      if (current?.isSnapshot === true) drop();
      if (tried.state === 'done') return { ok: true, value: tried.value };
      if (tried.state === 'missing' && patience === undefined) return { ok: true, value: undefined };
      drop();
      if (tried.state === 'failed') return tried.failure;
      if (tried.state === 'moved') continue;
      const mended = await (tried.state === 'broken' ? setAside(path, tried.identity, warn) : prepare(path));
      if (!mended.ok) return toFailure(mended);
    }
    return { ok: false, trouble: 'other', reason: 'other processes keep replacing it' };
  };
  return { read: (work) => perform(work), write: perform, close: drop };
}

type Attempt<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'missing' | 'unprepared' | 'moved' }
  | { readonly state: 'broken'; readonly identity: string }
  | { readonly state: 'failed'; readonly failure: UsageFailure };

function tryOnce<T>(opened: DatabaseOutcome<Database>, work: (sql: Sql) => T, patience?: Patience): Attempt<T> {
  if (!opened.ok) return judgeFailure(opened, opened.identity);
  const { value: database } = opened;
  const workIfFit = (sql: Sql): { readonly value: T } | { readonly unfit: Unfitness } => {
    const unfit = findUnfitness(sql);
    return unfit === undefined ? { value: work(sql) } : { unfit };
  };
  const done = patience === undefined ? database.read(workIfFit) : database.write(workIfFit, patience);
  if (!done.ok) return judgeFailure(done, database.identity);
  if ('unfit' in done.value) return judgeUnfitness(done.value.unfit, database.identity);
  // What was written to a file that was set aside meanwhile must be written to the new one.
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

/** Why a sound database cannot be used as it is: it is empty or old, a later version's, or somebody else's. */
type Unfitness = 'unprepared' | 'newer' | 'foreign';

/** Asked in every transaction, since another process may change the file at any time. */
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

const NEWER: UsageFailure = {
  ok: false,
  trouble: 'newer',
  reason: 'a newer version of Skillplane made it; this one leaves it alone',
};

/** Makes the database where there is none, and brings the schema of an old or empty one up to date. */
function prepare(path: string): Promise<DatabaseOutcome<void>> {
  return locked(path, () => {
    const found = identifyFile(path);
    return !found.ok && found.trouble === 'missing' ? createDatabase(path, bringUpToDate) : bringUpToDate(path);
  });
}

function bringUpToDate(path: string): DatabaseOutcome<void> {
  const opened = openDatabase(path);
  if (!opened.ok) return opened;
  const logging = opened.value.useWriteAheadLog();
  const migrated = logging.ok ? opened.value.write(migrate, PREPARING) : logging;
  opened.value.close();
  return migrated;
}

/** Others may be writing already. */
const PREPARING: Patience = { waitMs: 2_000 };

function migrate(sql: Sql): void {
  const version = readVersion(sql);
  if (version >= SCHEMA_VERSION) return;
  for (const migration of MIGRATIONS.slice(version)) sql.execute(migration);
  sql.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Keeps a broken file under another name, so that a new one can be begun; of several processes one does it. */
async function setAside(path: string, identity: string, warn: Warn): Promise<DatabaseOutcome<undefined>> {
  const moved = await locked(path, () => moveDatabaseAside(path, identity));
  if (!moved.ok) return { ...moved, reason: `it is broken and could not be set aside: ${moved.reason}` };
  if (moved.value !== undefined) {
    const message = `it was damaged, or no database of ours; it is kept as ${moved.value}, and a new one is begun`;
    warn({ code: 'USAGE_SET_ASIDE', severity: 'warning', path, message });
  }
  return { ok: true, value: undefined };
}

/** Under the lock of the file: making it and setting it aside never happen at once. */
async function locked<T>(path: string, work: () => DatabaseOutcome<T>): Promise<DatabaseOutcome<T>> {
  const done = await withLock(path, async () => ({ ok: true, outcome: work() }));
  return done.ok ? done.outcome : { ok: false, trouble: 'other', reason: done.message };
}

function toFailure({ trouble, reason }: DatabaseFailure): UsageFailure {
  return { ok: false, trouble: trouble === 'missing' || trouble === 'moved' ? 'other' : trouble, reason };
}

/** Looks at the database and changes nothing. */
export function inspectUsageFile(path: string): UsageAnswer<'ready' | 'missing'> {
  const opened = openDatabase(path);
  const tried = tryOnce(opened, () => undefined);
  if (opened.ok) opened.value.close();
  if (tried.state === 'failed') return tried.failure;
  if (tried.state === 'broken')
    return { ok: false, trouble: 'broken', reason: 'it is damaged, or no database of ours' };
  return { ok: true, value: tried.state === 'done' ? 'ready' : 'missing' };
}
