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

import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { FileStamp } from '../model/skill.ts';
import { attempt, explainCode, systemCode } from './errors.ts';
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
  const refusal = refusePath(path);
  if (refusal !== undefined) return refusal;
  return readChecked(realDir, `${realDir}${sep}${path}`, options);
}

/** Paths that are refused before any file is touched. */
function refusePath(path: string): Failure | undefined {
  if (path === '') return refused('the path is empty');
  if (path.includes('\0')) return refused('the path holds a NUL character');
  if (path.includes('\\')) return refused('the path holds a backslash; use /');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return refused('the path is absolute; it must be relative to the skill');
  const segments = path.split('/');
  if (segments.includes('..')) return refused('the path leaves the skill with ".."');
  if (segments.includes('') || segments.includes('.')) return refused('the path has an empty segment or "."');
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
    const stats = fstatSync(fd);
    if (!stats.isFile()) return refused('it is not a regular file');
    const isOwn = options.owner !== undefined && stats.uid === options.owner;
    if (!isOwn && !isInside(realDir, fd, { full, stats })) return refused('it really lies outside the skill');
    if (stats.size > options.maxBytes) return refused(`it is larger than ${options.maxBytes} bytes`);
    return readOpen(fd, stats, options.scratch);
  } finally {
    closeSync(fd);
  }
}

const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Opening {
  readonly realDir: string;
  readonly full: string;
  readonly options: ReadOptions;
}

function explainOpen(code: string, { realDir, full, options }: Opening): Outcome<FileContent> {
  if (code === 'ELOOP') {
    const target = attempt(() => realpathSync(full));
    const staysInside = 'value' in target && target.value !== full && isBelow(target.value, realDir);
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

/** Linux tells the path of an open file; elsewhere the path is resolved again and must be the same file. */
function isInside(realDir: string, fd: number, { full, stats }: OpenedFile): boolean {
  if (process.platform === 'linux') {
    const real = readlinkSync(`/proc/self/fd/${fd}`);
    return real === full || isBelow(real, realDir);
  }
  const real = attempt(() => realpathSync(full));
  if ('code' in real || !isBelow(real.value, realDir)) return false;
  const now = attempt(() => statSync(real.value));
  return 'value' in now && now.value.ino === stats.ino && now.value.dev === stats.dev;
}

/** Reads as much as the file held when it was checked; what a writer adds meanwhile is not waited for. */
function readOpen(fd: number, stats: Stats, scratch: Buffer | undefined): Outcome<FileContent> {
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
