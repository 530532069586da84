import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { isBelow, isTaken, readOwnBytes, realPath } from './files.ts';
import type { SyncQueue } from './sync-queue.ts';

export function makeFolder(path: string): Outcome {
  const made = attempt(() => mkdirSync(path, { recursive: true }));
  return made.ok ? { ok: true } : fail('STORE_FAILED', `${path} could not be created: ${made.message}`);
}

export function removeFile(path: string): void {
  attempt(() => rmSync(path, { force: true }));
}

/** Removes a folder if it is empty, and then the folders above it, up to and including `last`. */
export function removeEmptyFolders(path: string, last: string): void {
  for (let dir = path; dir === last || isBelow(dir, last); dir = dirname(dir))
    if (!attempt(() => rmdirSync(dir)).ok) return;
}

export interface WriteWholeOptions {
  /** The mode of the file; by default it stays as it was. */
  readonly mode?: number | undefined;
  /** Called right before the rename, such as the `check` of a lock; if it fails, nothing is changed. */
  readonly check?: (() => Outcome) | undefined;
  /** Do not wait for the disk: a power cut may leave the file empty, which its readers bear. */
  readonly isLosable?: boolean | undefined;
}

/**
 * Writes a file completely or not at all: writes and syncs a temporary file beside it, then renames that. Links are
 * followed: the target is written.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { mode, check = () => ({ ok: true }), isLosable = false }: WriteWholeOptions = {},
): Outcome<{ readonly path: string }> {
  const target = followLinks(path);
  const dir = dirname(target);
  const temporary = join(dir, `.skillplane-${uniqueName()}.tmp`);
  const written = attempt(() => {
    mkdirSync(dir, { recursive: true });
    const fd = openNewFile(temporary, content, mode ?? modeOf(target));
    finishNewFile(fd, !isLosable);
    const checked = check();
    if (checked.ok) renameSync(temporary, target);
    return checked;
  });
  sweepTemporary(dir);
  if (!written.ok || !written.value.ok) removeFile(temporary);
  if (!written.ok) return writeFailure(target, written);
  return written.value.ok ? { ok: true, path: target } : written.value;
}

/** Writes a small file that may get lost or be cut: whoever reads it must bear that. Nothing is synced, so it is fast. */
export function writeNote(path: string, text: string): void {
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  });
}

const ABANDONED_MS = 3_600_000;

/** Removes temporary files of processes that were killed while writing. */
export function sweepTemporary(dir: string): void {
  const names = attempt(() => readdirSync(dir));
  for (const name of names.ok ? names.value : []) {
    if (!/^\.skillplane-.*\.tmp$/.test(name)) continue;
    const path = join(dir, name);
    const stats = attempt(() => lstatSync(path));
    if (stats.ok && Date.now() - stats.value.mtimeMs > ABANDONED_MS) attempt(() => rmSync(path, { force: true }));
  }
}

/**
 * Writes the new content of a file beside it, and gives it to `sync`. The caller renames it over the file after that, or
 * removes it.
 */
export function prepareFile(
  path: string,
  content: string,
  sync: Pick<SyncQueue, 'add'>,
): Outcome<{ readonly prepared: string; readonly target: string }> {
  const target = followLinks(path);
  const prepared = join(dirname(target), `.skillplane-${uniqueName()}.new`);
  const written = attempt(() => {
    mkdirSync(dirname(target), { recursive: true });
    sync.add(openNewFile(prepared, content, modeOf(target)), prepared);
  });
  if (written.ok) return { ok: true, prepared, target };
  removeFile(prepared);
  return writeFailure(target, written);
}

/** Copies a file beside itself, with its permissions, to be renamed to `to` later: the first free name of a backup. */
export function prepareBackup(path: string): Outcome<{ readonly prepared: string; readonly to: string }> {
  const target = followLinks(path);
  const prepared = join(dirname(target), `.skillplane-${uniqueName()}.new`);
  const to = backupNames(target).find((name) => !isTaken(name));
  if (to === undefined) return tooManyBackups(target);
  const copied = attempt(() => copyFileSync(target, prepared, constants.COPYFILE_EXCL));
  return copied.ok ? { ok: true, prepared, to } : writeFailure(prepared, copied);
}

const MOST_BACKUPS = 1_000;

function backupNames(path: string): readonly string[] {
  return Array.from({ length: MOST_BACKUPS }, (_, at) => (at === 0 ? `${path}.bak` : `${path}.bak-${at + 1}`));
}

function tooManyBackups(path: string): Failure {
  return fail('STORE_FAILED', `${path} already has ${MOST_BACKUPS} backups`, 'Remove some of them.');
}

/**
 * Copies a file beside itself, with its permissions, under the first free name: `config.toml.bak`, `.bak-2`, … If there is
 * a copy with the same content already, that is the one.
 */
export function backUp(path: string): Outcome<{ readonly backup: string }> {
  for (const backup of backupNames(path)) {
    const copied = attempt(() => copyFileSync(path, backup, constants.COPYFILE_EXCL));
    if (copied.ok) return { ok: true, backup };
    if (copied.errno !== 'EEXIST') return fail('STORE_FAILED', `${backup}: ${copied.message}`);
    const [kept, own] = [readOwnBytes(backup), readOwnBytes(path)];
    if (kept !== undefined && own !== undefined && kept.equals(own)) return { ok: true, backup };
  }
  return tooManyBackups(path);
}

/** Names of the files that `prepareFile` and `writeWhole` write; the group is their `uniqueName`. */
export const UNFINISHED_NAMES: RegExp = /^\.skillplane-(\d+-[0-9a-z]+)\.(?:new|tmp)$/;

/** The target of a link, even if nothing exists there yet. */
function followLinks(path: string): string {
  const real = realPath(path);
  if (real !== undefined) return real;
  const target = attempt(() => readlinkSync(path));
  return target.ok ? resolve(dirname(path), target.value) : path;
}

/** Writes and syncs a file that must not exist yet. */
export function writeNewFile(path: string, content: string | Uint8Array | readonly Uint8Array[], mode: number): void {
  finishNewFile(openNewFile(path, content, mode), true);
}

function finishNewFile(fd: number, isSynced: boolean): void {
  try {
    if (isSynced) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a file that must not exist yet, and follows no link. Returns its descriptor. */
export function openNewFile(path: string, content: string | Uint8Array | readonly Uint8Array[], mode: number): number {
  const fd = openSync(path, 'wx', mode);
  try {
    // The process's umask cuts the mode given to `open`.
    fchmodSync(fd, mode);
    const given = typeof content === 'string' ? Buffer.from(content) : content;
    for (const bytes of given instanceof Uint8Array ? [given] : given)
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function modeOf(path: string): number {
  const stats = attempt(() => statSync(path));
  return stats.ok ? stats.value.mode & 0o777 : 0o644;
}

function writeFailure(path: string, { message }: Failure): Failure {
  return fail('STORE_FAILED', `${path} could not be written: ${message}`);
}
