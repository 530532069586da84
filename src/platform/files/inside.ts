import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { sep } from 'node:path';

import type { FileStamp } from '../../model/folder.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { findPathFault } from '../../model/path-fault.ts';
import { attempt, explainCode, systemCode } from '../errors.ts';
import { isInside } from './files.ts';

export interface ReadOptions {
  readonly maxBytes: number;
  /** The folder in messages; "the skill" by default. */
  readonly within?: string | undefined;
  /** A buffer for small files; the next read with it overwrites their bytes. */
  readonly scratch?: Buffer;
  /**
   * A user whose files may be anywhere. In this user's sources a skill's folder may be a link to any of their folders, so
   * swapping a folder for a link gains nothing. The location of other users' files is still checked.
   */
  readonly owner?: number | undefined;
  /**
   * Refuses a file that has another name, which may be outside the skill, except below `node_modules`: package managers link
   * files there from their store.
   */
  readonly refuseHardLinks?: boolean | undefined;
}

export interface FileBytes {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/**
 * Reads a file inside a skill's folder; no other code opens files there. `realDir` must be a real path. Opens the file
 * without following links or waiting for a writer, checks where the open file really is, and only then reads it. So
 * swapping folders and links during the call gains nothing.
 */
export function readInside(realDir: string, path: string, options: ReadOptions): Outcome<FileBytes> {
  const fault = findPathFault(path);
  if (fault !== undefined) return refused(`the path ${fault}`);
  return readChecked(realDir, `${realDir}${sep}${path}`, options);
}

function readChecked(realDir: string, full: string, options: ReadOptions): Outcome<FileBytes> {
  let fd: number;
  try {
    fd = openSync(full, OPEN_FLAGS);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return explainOpen(code, { realDir, full, options });
  }
  try {
    return readOpen(fd, { realDir, full, options });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return fail('STORE_FAILED', explainCode(code));
  } finally {
    closeSync(fd);
  }
}

/** `O_NOFOLLOW_ANY` of macOS refuses a link anywhere in the path; Node has no name for it. */
const NO_LINKS = process.platform === 'darwin' ? 0x20000000 : (constants.O_NOFOLLOW ?? 0);
/** Does not wait for a writer, and does not take over a terminal. */
export const OPEN_FLAGS: number =
  constants.O_RDONLY | NO_LINKS | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

interface Opening {
  readonly realDir: string;
  readonly full: string;
  readonly options: ReadOptions;
}

const STORE = `${sep}node_modules${sep}`;

function readOpen(fd: number, { realDir, full, options }: Opening): Outcome<FileBytes> {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return refused('it is not a regular file');
  const isOwn = options.owner !== undefined && stats.uid === options.owner;
  if (!isOwn && !isOpenedInside(realDir, fd, { full, stats }))
    return refused(`its real path is outside ${options.within ?? 'the skill'}`);
  if (options.refuseHardLinks === true && stats.nlink > 1 && !full.includes(STORE))
    return refused(`it is a hard link, so it may be a file from outside ${options.within ?? 'the skill'}`);
  if (stats.size > options.maxBytes) return refused(`it is larger than ${options.maxBytes} bytes`);
  return readBytes(fd, stats, options.scratch);
}

function explainOpen(code: string, { realDir, full, options }: Opening): Outcome<FileBytes> {
  if (code === 'ELOOP') {
    const target = attempt(() => realpathSync.native(full));
    const staysInside = target.ok && target.value !== full && isInside(target.value, realDir);
    return staysInside
      ? readChecked(realDir, target.value, options)
      : refused(`it is a link that leaves ${options.within ?? 'the skill'}`);
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') return fail('RESOURCE_NOT_FOUND', 'File not found');
  if (code === 'ENXIO') return refused('it is not a regular file');
  return fail('STORE_FAILED', explainCode(code));
}

interface OpenedFile {
  readonly full: string;
  readonly stats: Stats;
}

/**
 * Is an open file or folder really in `realDir`? If the system cannot tell its path, the name is resolved again and must
 * lead to the same file. Where `NO_LINKS` does not cover the whole path, an attacker who swaps a folder three times at
 * the right moments can beat that check.
 */
export function isOpenedInside(realDir: string, fd: number, { full, stats }: OpenedFile): boolean {
  const told = pathOfOpen(fd);
  if (told !== undefined) return told === full || isInside(told, realDir);
  const real = attempt(() => realpathSync(full));
  if (!real.ok || (real.value !== full && !isInside(real.value, realDir))) return false;
  const now = attempt(() => statSync(real.value));
  return now.ok && now.value.ino === stats.ino && now.value.dev === stats.dev;
}

/** Linux tells the path of an open file, unless `/proc` is missing. */
export function pathOfOpen(fd: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Reads as much as the file contained when it was checked; later additions are not read. */
function readBytes(fd: number, stats: Stats, scratch: Buffer | undefined): Outcome<FileBytes> {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  const buffer = scratch !== undefined && size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(fd, buffer, length, size - length, null);
  return { ok: true, bytes: buffer.subarray(0, length), stamp: { mtimeMs, ctimeMs, size, ino } };
}

function refused(reason: string): Failure {
  return fail('PATH_REFUSED', reason);
}
