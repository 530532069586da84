import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { isTaken, readOwnBytes, realPath } from './files.ts';
import { makePrivateFolder, rename } from './folders.ts';
import { sweepLeftovers, temporaryPath } from './leftovers.ts';
import { removeFile } from './remove-tree.ts';

type Content = string | Uint8Array | readonly Uint8Array[];

export interface FileOptions {
  /** For files of our own: only their owner can read them, and enter the folders that are created for them. */
  readonly isPrivate?: boolean | undefined;
  /** By default a file keeps its mode, and a new one gets the usual one. */
  readonly mode?: number | undefined;
}

export interface ReplaceOptions extends FileOptions {
  /** Called right before the rename, such as the `check` of a lock; if it fails, nothing is changed. */
  readonly check?: (() => Outcome) | undefined;
  /** Do not wait for the disk: a power cut may leave the file empty, which its readers bear. */
  readonly isLosable?: boolean | undefined;
  /** The folder, which others may change, must be a real path that exists; a link in the file's place is itself replaced. */
  readonly noLinks?: boolean | undefined;
}

/**
 * Atomically writes a file: writes and syncs a temporary file next to it, then renames that. Links are followed, and
 * their target written, unless `noLinks` is set.
 */
export function replaceFile(
  path: string,
  content: Content,
  { check = () => ({ ok: true }), isLosable = false, noLinks = false, ...options }: ReplaceOptions = {},
): Outcome<{ readonly path: string }> {
  const target = noLinks ? path : followLinks(path);
  const dir = dirname(target);
  const temporary = temporaryPath(dir, 'tmp');
  const put = (): Outcome => {
    const written = attempt(() => {
      if (!noLinks) makeFolderFor(target, options);
      writeNewFile(temporary, content, { mode: modeFor(target, options), isSynced: !isLosable });
    });
    if (!written.ok) return writeFailure(target, written);
    // If the folder was replaced by a link, the new file is elsewhere.
    if (noLinks && realPath(temporary) !== temporary)
      return fail('PATH_REFUSED', `${dir} is now a link; nothing was written`);
    const checked = check();
    const renamed = checked.ok ? rename(temporary, target) : checked;
    return checked.ok && !renamed.ok ? writeFailure(target, renamed) : renamed;
  };
  const done = put();
  if (!done.ok) removeFile(temporary);
  else if (!isLosable) syncFolder(dir);
  sweepLeftovers([dir]);
  return done.ok ? { ok: true, path: target } : done;
}

/** Writes the new content of a file beside it, for a change that flushes it with `syncPaths` and renames it. Links are followed. */
export function prepareFile(
  path: string,
  content: string,
  options: FileOptions = {},
): Outcome<{ readonly prepared: string; readonly target: string }> {
  const target = followLinks(path);
  const prepared = temporaryPath(dirname(target), 'new');
  const written = attempt(() => {
    makeFolderFor(target, options);
    writeNewFile(prepared, content, { mode: modeFor(target, options) });
  });
  if (written.ok) return { ok: true, prepared, target };
  removeFile(prepared);
  return writeFailure(target, written);
}

/**
 * Copies a file beside itself, with its permissions, for a change that renames the copy later. `to` is the first free name:
 * `config.toml.bak`, `.bak-2`, …
 */
export function prepareBackup(path: string): Outcome<{ readonly prepared: string; readonly to: string }> {
  const target = followLinks(path);
  const prepared = temporaryPath(dirname(target), 'new');
  const copied = attempt(() => copyFileSync(target, prepared, constants.COPYFILE_EXCL));
  return copied.ok ? { ok: true, prepared, to: backupNames(target).free } : writeFailure(prepared, copied);
}

/** Copies a file beside itself at once. If there is a copy with the same content already, that is the one. */
export function backUp(path: string): Outcome<{ readonly backup: string }> {
  const { taken, free } = backupNames(path);
  const own = readOwnBytes(path);
  const equal = taken.find((backup) => own !== undefined && readOwnBytes(backup)?.equals(own) === true);
  if (equal !== undefined) return { ok: true, backup: equal };
  const copied = attempt(() => copyFileSync(path, free, constants.COPYFILE_EXCL));
  return copied.ok ? { ok: true, backup: free } : writeFailure(free, copied);
}

function backupNames(path: string): { readonly taken: readonly string[]; readonly free: string } {
  const taken: string[] = [];
  let free = `${path}.bak`;
  for (let number = 2; isTaken(free); number += 1) {
    taken.push(free);
    free = `${path}.bak-${number}`;
  }
  return { taken, free };
}

/** The target of a link, even if nothing exists there yet. */
function followLinks(path: string): string {
  const real = realPath(path);
  if (real !== undefined) return real;
  const target = attempt(() => readlinkSync(path));
  return target.ok ? resolve(dirname(path), target.value) : path;
}

function makeFolderFor(path: string, { isPrivate = false }: FileOptions): void {
  if (isPrivate) makePrivateFolder(dirname(path));
  else mkdirSync(dirname(path), { recursive: true });
}

/** Undefined for a new file without a mode of its own. */
function modeFor(path: string, { isPrivate = false, mode }: FileOptions): number | undefined {
  if (isPrivate) return 0o600;
  const stats = attempt(() => lstatSync(path));
  return mode ?? (stats.ok && stats.value.isFile() ? stats.value.mode & 0o777 : undefined);
}

export interface NewFileOptions {
  /** By default what the process's umask leaves. */
  readonly mode?: number | undefined;
  readonly isSynced?: boolean | undefined;
}

/** Writes a file that must not exist yet, and follows no link. */
export function writeNewFile(path: string, content: Content, { mode, isSynced = false }: NewFileOptions = {}): void {
  const fd = openSync(path, 'wx', mode ?? 0o666);
  try {
    // The umask cuts the mode given to `open`.
    if (mode !== undefined) fchmodSync(fd, mode);
    const given = typeof content === 'string' ? Buffer.from(content) : content;
    for (const bytes of given instanceof Uint8Array ? [given] : given)
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    if (isSynced) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a rename in the folder last. Not every system can open a folder, and those need no sync. */
function syncFolder(dir: string): void {
  attempt(() => {
    const fd = openSync(dir, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

function writeFailure(path: string, { message }: Failure): Failure {
  return fail('STORE_FAILED', `${path} could not be written: ${message}`);
}
