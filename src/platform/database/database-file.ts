import { closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { uniqueName } from '../clock.ts';
import { attempt, explainCode } from '../errors.ts';
import { exists, realPath } from '../files/files.ts';

/** Why a database cannot be used: by this a caller decides what to do. `moved`: it was replaced at this very moment. */
export type DatabaseTrouble = 'missing' | 'moved' | 'locked' | 'full' | 'read-only' | 'broken' | 'other';

export interface DatabaseFailure {
  readonly ok: false;
  readonly trouble: DatabaseTrouble;
  readonly reason: string;
  /** Which file it is about, where that is known; see `identifyFile`. */
  readonly identity?: string;
}

export type DatabaseOutcome<T> = { readonly ok: true; readonly value: T } | DatabaseFailure;

/** Which file it is, whatever its name becomes. Anything but a regular file is a failure, and is not opened. */
export function identifyFile(path: string): DatabaseOutcome<string> {
  const stats = attempt(() => statSync(path, { bigint: true }));
  if ('code' in stats) return systemFailure(stats.code);
  if (!stats.value.isFile()) return { ok: false, trouble: 'other', reason: 'it is not a regular file' };
  return { ok: true, value: `${stats.value.dev}:${stats.value.ino}` };
}

/** What SQLite keeps beside a database in WAL mode. */
const COMPANIONS = ['-wal', '-shm'];

/**
 * Makes a database: `prepare` gets an empty file for its owner alone under a name that nobody looks for, and what it
 * made of it appears at `path`, where nothing may be. The caller holds the lock of `path`.
 */
export function createDatabase(path: string, prepare: (draft: string) => DatabaseOutcome<void>): DatabaseOutcome<void> {
  // A link that leads nowhere counts, too: renaming would replace it.
  if ('value' in attempt(() => lstatSync(path))) return systemFailure('EEXIST');
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
  // A log without its database would be taken for the new one's.
  for (const ending of COMPANIONS) rmSync(`${path}${ending}`, { force: true });
  renameSync(draft, path);
}

/**
 * Renames the file that is `identity`, if it is still there, and gives its new place. The caller holds the lock
 * under which such files are made: between the renames nobody may begin a new database.
 */
export function moveDatabaseAside(path: string, identity: string): DatabaseOutcome<string | undefined> {
  const found = identifyFile(path);
  if (!found.ok) return found.trouble === 'missing' ? { ok: true, value: undefined } : found;
  if (found.value !== identity) return { ok: true, value: undefined };
  const real = realPath(path) ?? path;
  const place = freePlace(real);
  const moved = attemptFile(() => {
    // The database first: whoever has it open keeps writing to the files that it opened, under their new names.
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

function attemptFile(call: () => void): DatabaseOutcome<void> {
  const done = attempt(call);
  return 'value' in done ? { ok: true, value: undefined } : systemFailure(done.code);
}

function systemFailure(code: string): DatabaseFailure {
  return { ok: false, trouble: SYSTEM_TROUBLES[code] ?? 'other', reason: explainCode(code) };
}

const SYSTEM_TROUBLES: Readonly<Record<string, DatabaseTrouble>> = {
  ENOENT: 'missing',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
};
