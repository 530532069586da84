import { chmodSync, closeSync, constants, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { findPathFault } from '../../model/path-fault.ts';
import { attempt, explainCode, systemCode } from '../errors.ts';
import { listInside } from './list-inside.ts';
import { removeTree } from './remove-tree.ts';
import type { SyncQueue } from './sync-queue.ts';
import { openNewFile } from './write-file.ts';

export interface StagedFile {
  /** From the folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** A folder that is filled file by file and then renamed to its final place. */
export interface StagingFolder {
  readonly dir: string;
  /** Never overwrites: an existing file or link is a failure. */
  write(file: StagedFile): Outcome;
  remove(): void;
}

/** Creates the folder, which must not exist yet, and its parents. Files are flushed to disk by `sync`, if there is one. */
export function makeStagingFolder(dir: string, sync?: SyncQueue): Outcome<{ readonly folder: StagingFolder }> {
  const made = attempt(() => {
    if (attempt(() => makeFolder(dir)).ok) return;
    mkdirSync(dirname(dir), { recursive: true });
    makeFolder(dir);
  });
  if (!made.ok) return fail('STORE_FAILED', `${dir} could not be created: ${made.message}`);
  const folders = new Set(['.']);
  return {
    ok: true,
    folder: {
      dir,
      write: (file) => writeStaged({ dir, folders, sync }, file),
      remove: () => void removeTree(dir),
    },
  };
}

/**
 * Flushes all files of the folders to disk. Call it once, after everything is written: one flush then serves many files,
 * and one flush per file would take a hundred times as long.
 */
export async function syncFolders(dirs: readonly string[]): Promise<Outcome> {
  const paths = dirs.flatMap((dir) => listInside(dir).files.map(({ path }) => join(dir, path)));
  const next = paths.values();
  const faults: Outcome<never>[] = [];
  const syncNext = async (): Promise<void> => {
    for (const path of next) {
      const code = await syncFile(path);
      if (code !== undefined) faults.push(fail('STORE_FAILED', `${path} could not be written: ${explainCode(code)}`));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, syncNext));
  return faults[0] ?? { ok: true };
}

/** The number of Node's threads for files. */
const AT_A_TIME = 4;

/** The system's error code; undefined on success. */
async function syncFile(path: string): Promise<string | undefined> {
  try {
    // Lazy: most starts write nothing.
    const { open } = await import('node:fs/promises');
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    await file.sync().finally(() => file.close());
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

interface Staging {
  readonly dir: string;
  readonly folders: Set<string>;
  readonly sync: SyncQueue | undefined;
}

function writeStaged({ dir, folders, sync }: Staging, { path, bytes, executable }: StagedFile): Outcome {
  const fault = findPathFault(path);
  if (fault !== undefined) return fail('PATH_REFUSED', `${path}: the path ${fault}`);
  const written = attempt(() => {
    makeFolders(dir, folders, dirname(path));
    const full = join(dir, path);
    const fd = openNewFile(full, bytes, executable ? 0o755 : 0o644);
    if (sync === undefined) closeSync(fd);
    else sync.add(fd, full);
  });
  if (written.ok) return { ok: true };
  return fail('STORE_FAILED', `${path} could not be written: ${written.message}`);
}

/** Writes only to folders that we created ourselves: others could be links. */
function makeFolders(dir: string, made: Set<string>, folder: string): void {
  if (made.has(folder)) return;
  makeFolders(dir, made, dirname(folder));
  makeFolder(join(dir, folder));
  made.add(folder);
}

function makeFolder(path: string): void {
  mkdirSync(path, { mode: 0o755 });
  chmodSync(path, 0o755);
}
