import { chmodSync, closeSync, constants, fsync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { findPathFault } from '../../model/path-fault.ts';
import { attempt, explainCode } from '../errors.ts';
import { isPlainDirectory, readStamp } from './files.ts';
import { listInside } from './list-inside.ts';
import { removeTree } from './remove-tree.ts';
import { writeNewFile } from './replace-file.ts';

export interface StagedFile {
  /** From the folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Never overwrites: an existing file or link is a failure. */
export type WriteStaged = (file: StagedFile) => Outcome;

/**
 * Creates a folder, which must not exist yet, out of what `fill` writes. If `fill` fails, nothing remains. Others can read it,
 * whatever the umask: it is moved to where skills are. `syncPaths` flushes it to disk.
 */
export function writeFolder<T>(dir: string, fill: (write: WriteStaged) => Outcome<T>): Outcome<T> {
  const made = attempt(() => {
    mkdirSync(dirname(dir), { recursive: true });
    makeOpenFolder(dir);
  });
  if (!made.ok) return fail('STORE_FAILED', `${dir} could not be created: ${made.message}`);
  const folders = new Set(['.']);
  const filled = fill((file) => writeStaged(dir, folders, file));
  if (!filled.ok) removeTree(dir);
  return filled;
}

/** Creates a folder, which must not exist yet, with these files; see `writeFolder`. */
export function writeFiles(dir: string, files: Iterable<StagedFile>): Outcome {
  return writeFolder(dir, (write) => {
    for (const file of files) {
      const written = write(file);
      if (!written.ok) return written;
    }
    return { ok: true };
  });
}

function writeStaged(dir: string, folders: Set<string>, { path, bytes, executable }: StagedFile): Outcome {
  const fault = findPathFault(path);
  if (fault !== undefined) return fail('PATH_REFUSED', `${path}: the path ${fault}`);
  const written = attempt(() => {
    makeFolders(dir, folders, dirname(path));
    writeNewFile(join(dir, path), bytes, { mode: executable ? 0o755 : 0o644 });
  });
  if (written.ok) return { ok: true };
  return fail('STORE_FAILED', `${path} could not be written: ${written.message}`);
}

/** Writes only to folders that we created ourselves: others could be links. */
function makeFolders(dir: string, made: Set<string>, folder: string): void {
  if (made.has(folder)) return;
  makeFolders(dir, made, dirname(folder));
  makeOpenFolder(join(dir, folder));
  made.add(folder);
}

function makeOpenFolder(path: string): void {
  mkdirSync(path, { mode: 0o755 });
  chmodSync(path, 0o755);
}

/**
 * Flushes files, and all files of folders, to disk; what is missing needs no flush. Call it once, after everything is written: several flushes at once share a
 * commit of the file system's journal.
 */
export async function syncPaths(paths: readonly string[]): Promise<Outcome> {
  const next = paths.flatMap(listFiles).values();
  const faults: Failure[] = [];
  const syncNext = async (): Promise<void> => {
    for (const path of next) {
      const reason = await syncFile(path);
      if (reason !== undefined) faults.push(fail('STORE_FAILED', `${path} could not be written: ${reason}`));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, syncNext));
  return faults[0] ?? { ok: true };
}

function listFiles(path: string): readonly string[] {
  if (isPlainDirectory(path)) return listInside(path).files.map((file) => join(path, file.path));
  return readStamp(path) === undefined ? [] : [path];
}

/** The number of Node's threads for files. */
const AT_A_TIME = 4;

/** Why it failed; undefined on success. */
async function syncFile(path: string): Promise<string | undefined> {
  const opened = attempt(() => openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)));
  if (!opened.ok) return opened.message;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  fsync(opened.value, (error) => {
    closeSync(opened.value);
    resolve(error === null ? undefined : explainCode(error.code ?? 'EIO'));
  });
  return promise;
}
