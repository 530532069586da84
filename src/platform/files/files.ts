import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';

import type { FileStamp } from '../../model/folder.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt, systemCode } from '../errors.ts';

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
  // Sorting names is several times faster than sorting entries, and most entries are directories.
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
export function isAbsent(path: string): boolean {
  const stats = attempt(() => statSync(path, NO_THROW));
  return stats.ok && stats.value === undefined;
}

const NO_THROW = { throwIfNoEntry: false } as const;

/** The thing at a path, links followed; undefined if there is none, or none that can be seen. */
function statOrNothing(path: string): Stats | undefined {
  const stats = attempt(() => statSync(path, NO_THROW));
  return stats.ok ? stats.value : undefined;
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

/** Is `path` the folder `dir`, or something in it? Both must be real paths. */
export function isInside(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);
}

/** The stamp of a regular file; undefined for anything else, links included. */
export function readStamp(path: string): FileStamp | undefined {
  const stats = lstatOrNothing(path);
  return stats?.isFile() === true ? stats : undefined;
}

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
  const stats = statOrNothing(path);
  return stats?.isDirectory() === true ? stats.uid : undefined;
}

/** The owner of a file, not of a link to it; undefined if it is not a regular file. */
export function ownerOfFile(path: string): number | undefined {
  const stats = statOrNothing(path);
  return stats?.isFile() === true ? stats.uid : undefined;
}

/** Is this closed to other users? */
export function isClosed(path: string): boolean {
  const stats = statOrNothing(path);
  return stats !== undefined && (stats.mode & 0o077) === 0;
}

/** Is this a directory, and not a link to one? */
export function isPlainDirectory(path: string): boolean {
  return lstatOrNothing(path)?.isDirectory() === true;
}

/** Does anything exist at the path, even a dangling link? */
export function isTaken(path: string): boolean {
  return lstatOrNothing(path) !== undefined;
}

/** Does the path lead to anything? */
export function exists(path: string): boolean {
  return statOrNothing(path) !== undefined;
}

/** Is this a regular file, or a link to one? */
export function isFile(path: string): boolean {
  return statOrNothing(path)?.isFile() === true;
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
