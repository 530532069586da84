import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { FileStamp } from '../../model/skill.ts';
import { uniqueName } from '../clock.ts';
import { attempt, systemCode } from '../errors.ts';
import type { SyncQueue } from './sync-queue.ts';

export type EntryKind = 'directory' | 'file' | 'link' | 'other';

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** The entries of a directory, sorted by code units. `missing` and `not-directory` are answers, not errors. */
export type Listing =
  | { readonly state: 'listed'; readonly entries: readonly DirectoryEntry[] }
  | { readonly state: 'missing' | 'not-directory' }
  | { readonly state: 'unreadable'; readonly reason: string };

export function listDirectory(path: string): Listing {
  if (isAbsent(path)) return { state: isBelowFile(path) ? 'not-directory' : 'missing' };
  const listed = attempt(() => readdirSync(path, { withFileTypes: true }));
  if (!listed.ok) {
    if (listed.errno === 'ENOENT') return { state: 'missing' };
    if (listed.errno === 'ENOTDIR') return { state: 'not-directory' };
    return { state: 'unreadable', reason: listed.message };
  }
  // Sorting names is several times faster than sorting entries, and nearly all entries are directories.
  const names = listed.value.map((entry) => entry.name).sort();
  const others = new Map<string, EntryKind>();
  for (const entry of listed.value) if (!entry.isDirectory()) others.set(entry.name, kindOf(entry));
  return { state: 'listed', entries: names.map((name) => ({ name, kind: others.get(name) ?? 'directory' })) };
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/**
 * Is there certainly nothing at this path? Asked before calls that would fail: most places where skills could be are missing, and
 * an exception takes as long as dozens of system calls.
 */
function isAbsent(path: string): boolean {
  const stats = attempt(() => statSync(path, NO_THROW));
  return stats.ok && stats.value === undefined;
}

/** Is a part of this path, which leads nowhere, a file? */
function isBelowFile(path: string): boolean {
  const parent = dirname(path);
  const stats = attempt(() => statSync(parent, NO_THROW));
  if (!stats.ok || parent === path) return false;
  return stats.value === undefined ? isBelowFile(parent) : !stats.value.isDirectory();
}

/** The path without links; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  if (isAbsent(path)) return undefined;
  const real = attempt(() => realpathSync.native(path));
  return real.ok ? real.value : undefined;
}

/** Is `path` below `dir`? Both must be real paths. */
export function isBelow(path: string, dir: string): boolean {
  return path.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);
}

/** The stamp of a regular file; undefined for anything else, links included. */
export function readStamp(path: string): FileStamp | undefined {
  const stats = lstatOrNothing(path);
  return stats?.isFile() === true ? stats : undefined;
}

const NO_THROW = { throwIfNoEntry: false } as const;

function lstatOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, NO_THROW);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** The owner of a directory; undefined if it is not a directory. */
export function ownerOf(path: string): number | undefined {
  const stats = attempt(() => statSync(path));
  return stats.ok && stats.value.isDirectory() ? stats.value.uid : undefined;
}

/** The owner of a file, not of a link to it; undefined if it is not a regular file. */
export function ownerOfFile(path: string): number | undefined {
  const stats = attempt(() => statSync(path));
  return stats.ok && stats.value.isFile() ? stats.value.uid : undefined;
}

/** Is this a directory, and not a link to one? */
export function isPlainDirectory(path: string): boolean {
  return lstatOrNothing(path)?.isDirectory() === true;
}

/** Does anything exist at the path, even a dangling link? */
export function isTaken(path: string): boolean {
  return lstatOrNothing(path) !== undefined;
}

export function exists(path: string): boolean {
  return existsSync(path);
}

/** Is this a regular file, or a link to one? */
export function isFile(path: string): boolean {
  const stats = attempt(() => statSync(path, NO_THROW));
  return stats.ok && stats.value?.isFile() === true;
}

export function isWritable(path: string): boolean {
  return attempt(() => accessSync(path, constants.W_OK)).ok;
}

/** Reads a file that does not belong to a skill; the text is undefined if there is no file. Never blocks on a FIFO. */
export function readOwnText(path: string): Outcome<{ readonly text: string | undefined }> {
  if (isAbsent(path)) return { ok: true, text: undefined };
  const read = attempt(() => readRegular(path)?.toString());
  if (!read.ok) {
    if (read.errno === 'ENOENT' || read.errno === 'ENOTDIR') return { ok: true, text: undefined };
    return fail('STORE_FAILED', `${path}: ${read.message}`);
  }
  if (read.value === undefined) return fail('STORE_FAILED', `${path}: is not a regular file`);
  return { ok: true, text: read.value };
}

/** Reads an optional file of our own; undefined if it cannot be read. */
export function readOwnBytes(path: string): Buffer | undefined {
  if (isAbsent(path)) return undefined;
  const read = attempt(() => readRegular(path));
  return read.ok ? read.value : undefined;
}

function readRegular(path: string): Buffer | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || stats.isDirectory() ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** The number of entries of a folder and their total size; zero if there is no folder. */
export function measureFolder(path: string): { readonly files: number; readonly bytes: number } {
  const names = attempt(() => readdirSync(path));
  if (!names.ok) return { files: 0, bytes: 0 };
  const sizes = names.value.map((name) => attempt(() => statSync(join(path, name)).size));
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + (size.ok ? size.value : 0), 0) };
}

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
}

/**
 * Writes a file completely or not at all: writes and syncs a temporary file beside it, then renames that. Links are
 * followed: the target is written.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { mode, check = () => ({ ok: true }) }: WriteWholeOptions = {},
): Outcome<{ readonly path: string }> {
  const target = followLinks(path);
  const dir = dirname(target);
  const temporary = join(dir, `.skillplane-${uniqueName()}.tmp`);
  const written = attempt(() => {
    mkdirSync(dir, { recursive: true });
    writeNewFile(temporary, content, mode ?? modeOf(target));
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
  const fd = openNewFile(path, content, mode);
  try {
    fsyncSync(fd);
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
