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

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { FileStamp } from '../../model/skill.ts';
import { attempt, explainCode, systemCode } from '../errors.ts';
import { isBelow } from './files.ts';

export interface ReadOptions {
  readonly maxBytes: number;
  /** A buffer to read small files into; the next read with it overwrites their bytes. */
  readonly scratch?: Buffer;
  /**
   * A user whose own files may lie anywhere. In sources of this user a skill's folder may be a link to any folder of
   * theirs, so that a folder swapped for a link gains nothing; files of others are still asked where they are.
   */
  readonly owner?: number | undefined;
}

export interface FileContent {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/**
 * Reads a file inside a skill's folder; nobody else opens files there. `realDir` must hold no links. The file is
 * opened without following a link and without waiting for a writer, then the open file itself is asked where it
 * is, and only then read: swapping folders and links meanwhile gains nothing.
 */
export function readInside(realDir: string, path: string, options: ReadOptions): Outcome<FileContent> {
  const fault = findPathFault(path);
  if (fault !== undefined) return refused(`the path ${fault}`);
  return readChecked(realDir, `${realDir}${sep}${path}`, options);
}

/** Why a path is refused before any file is touched; undefined for one that may be looked for. */
export function findPathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'holds a NUL character';
  if (path.includes('\\')) return 'holds a backslash; use /';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute; it must be relative to the skill';
  const segments = path.split('/');
  if (segments.includes('..')) return 'leaves the skill with ".."';
  if (segments.includes('') || segments.includes('.')) return 'has an empty segment or "."';
  return undefined;
}

function readChecked(realDir: string, full: string, options: ReadOptions): Outcome<FileContent> {
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
/** Neither waits for a writer nor takes a terminal. */
export const OPEN_FLAGS: number =
  constants.O_RDONLY | NO_LINKS | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

interface Opening {
  readonly realDir: string;
  readonly full: string;
  readonly options: ReadOptions;
}

function readOpen(fd: number, { realDir, full, options }: Opening): Outcome<FileContent> {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return refused('it is not a regular file');
  const isOwn = options.owner !== undefined && stats.uid === options.owner;
  if (!isOwn && !isInside(realDir, fd, { full, stats })) return refused('it really lies outside the skill');
  if (stats.size > options.maxBytes) return refused(`it is larger than ${options.maxBytes} bytes`);
  return readBytes(fd, stats, options.scratch);
}

function explainOpen(code: string, { realDir, full, options }: Opening): Outcome<FileContent> {
  if (code === 'ELOOP') {
    const target = attempt(() => realpathSync(full));
    const staysInside = target.ok && target.value !== full && isBelow(target.value, realDir);
    return staysInside ? readChecked(realDir, target.value, options) : refused('it is a link that leaves the skill');
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
 * Does an open file or folder really lie in `realDir`? Where the system does not tell its path, the name is resolved
 * again and must lead to the same file; without `NO_LINKS` over the whole path, whoever swaps a folder three times in
 * time outruns that.
 */
export function isInside(realDir: string, fd: number, { full, stats }: OpenedFile): boolean {
  const told = pathOfOpen(fd);
  if (told !== undefined) return told === full || isBelow(told, realDir);
  const real = attempt(() => realpathSync(full));
  if (!real.ok || (real.value !== full && !isBelow(real.value, realDir))) return false;
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

/** Reads as much as the file held when it was checked; what a writer adds meanwhile is not waited for. */
function readBytes(fd: number, stats: Stats, scratch: Buffer | undefined): Outcome<FileContent> {
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
