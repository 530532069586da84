import { closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt, explainCode, type SystemFailure } from '../errors.ts';
import { exists, realPath } from '../files/files.ts';

export interface DatabaseFailure extends Failure {
  /** Decides what the caller does next. `moved`: another process replaced the file during this call. */
  readonly trouble: 'missing' | 'moved' | 'locked' | 'full' | 'read-only' | 'broken' | 'other';
  /** The file it is about, if known; see `identifyFile`. */
  readonly identity?: string;
}

export type DatabaseResult<T> = Outcome<{ readonly value: T }, DatabaseFailure>;

export function databaseFailure(trouble: DatabaseFailure['trouble'], message: string): DatabaseFailure {
  return { ...fail('STORE_FAILED', message), trouble };
}

/** Identifies a file across renames. Anything but a regular file is a failure, and is not opened. */
export function identifyFile(path: string): DatabaseResult<string> {
  const stats = attempt(() => statSync(path, { bigint: true }));
  if (!stats.ok) return toDatabaseFailure(stats);
  if (!stats.value.isFile()) return databaseFailure('other', 'it is not a regular file');
  return { ok: true, value: `${stats.value.dev}:${stats.value.ino}` };
}

/** The files that SQLite keeps beside a database in WAL mode. */
const COMPANIONS = ['-wal', '-shm'];

/**
 * Creates a database: `prepare` fills an empty draft that only its owner can read, and the draft then moves to `path`,
 * where nothing may exist yet. The caller holds the lock of `path`.
 */
export function createDatabase(
  path: string,
  prepare: (draft: string) => Outcome<object, DatabaseFailure>,
): Outcome<object, DatabaseFailure> {
  // A dangling link counts too: renaming would replace it.
  if (attempt(() => lstatSync(path)).ok) return databaseFailure('other', explainCode('EEXIST'));
  const draft = join(dirname(path), `.skillplane-${uniqueName()}.tmp`);
  const begun = attemptFile(() => {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(draft, 'wx', 0o600));
  });
  const prepared = begun.ok ? prepare(draft) : begun;
  const placed = prepared.ok ? attemptFile(() => placeFile(draft, path)) : prepared;
  if (!placed.ok) for (const ending of ['', ...COMPANIONS]) attempt(() => rmSync(`${draft}${ending}`, { force: true }));
  return placed;
}

function placeFile(draft: string, path: string): void {
  // SQLite would apply a log that was left over to the new database.
  for (const ending of COMPANIONS) rmSync(`${path}${ending}`, { force: true });
  renameSync(draft, path);
}

/**
 * Renames the file `identity` if it is still at `path`, and returns its new place. The caller holds the lock under which
 * such files are created, so that no new database appears between the renames.
 */
export function moveDatabaseAside(path: string, identity: string): DatabaseResult<string | undefined> {
  const found = identifyFile(path);
  if (!found.ok) return found.trouble === 'missing' ? { ok: true, value: undefined } : found;
  if (found.value !== identity) return { ok: true, value: undefined };
  const real = realPath(path) ?? path;
  const place = freePlace(real);
  const moved = attemptFile(() => {
    // The database first: processes that have it open keep writing to the files they opened, under their new names.
    renameSync(real, place);
    for (const ending of COMPANIONS)
      if (exists(`${real}${ending}`)) renameSync(`${real}${ending}`, `${place}${ending}`);
  });
  return moved.ok ? { ok: true, value: place } : moved;
}

function freePlace(path: string): string {
  let number = 1;
  while (['', ...COMPANIONS].some((ending) => exists(`${path}.broken-${number}${ending}`))) number += 1;
  return `${path}.broken-${number}`;
}

function attemptFile(call: () => void): Outcome<object, DatabaseFailure> {
  const done = attempt(call);
  return done.ok ? { ok: true } : toDatabaseFailure(done);
}

function toDatabaseFailure({ errno, message }: SystemFailure): DatabaseFailure {
  return databaseFailure(SYSTEM_TROUBLES[errno] ?? 'other', message);
}

const SYSTEM_TROUBLES: Readonly<Record<string, DatabaseFailure['trouble']>> = {
  ENOENT: 'missing',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
};
