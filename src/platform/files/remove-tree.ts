import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt, type SystemFailure } from '../errors.ts';
import { isInside } from './files.ts';

/**
 * Removes a file or folder with everything in it; done if there is none. Follows no links. Also removes folders that a
 * script closed even to us, or nested deeper than a path can be long.
 */
export function removeTree(path: string): Outcome<object, SystemFailure> {
  const removeAll = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  const removed = attempt(removeAll);
  if (removed.ok || !isFolder(path)) return removed;
  flatten(path);
  return attempt(removeAll);
}

/** Opens the folders below `root` and moves each up into it, so that every path is short. */
function flatten(root: string): void {
  const folders: Buffer[] = [Buffer.from(root)];
  for (const folder of folders) {
    attempt(() => chmodSync(folder, 0o700));
    for (const inner of listFolders(folder)) {
      // Moving a folder writes to it, so it must be open before.
      attempt(() => chmodSync(inner, 0o700));
      const raised = Buffer.from(join(root, uniqueName()));
      folders.push(attempt(() => renameSync(inner, raised)).ok ? raised : inner);
    }
  }
}

/** As bytes, since a script may choose names that are not UTF-8. */
function listFolders(dir: Buffer): readonly Buffer[] {
  const listed = attempt(() => readdirSync(dir, { encoding: 'buffer', withFileTypes: true }));
  const entries = listed.ok ? listed.value.filter((entry) => entry.isDirectory()) : [];
  return entries.map(({ name }) => Buffer.concat([dir, Buffer.from('/'), name]));
}

function isFolder(path: string): boolean {
  const stats = attempt(() => lstatSync(path));
  return stats.ok && stats.value.isDirectory();
}

export function removeFile(path: string): void {
  attempt(() => rmSync(path, { force: true }));
}

/** Removes a folder if it is empty; true if it is gone. */
export function removeEmptyFolder(path: string): boolean {
  const removed = attempt(() => rmdirSync(path));
  return removed.ok || removed.errno === 'ENOENT';
}

/** Removes a folder if it is empty, and then the folders above it, up to and including `last`. */
export function removeEmptyFolders(path: string, last: string): void {
  for (let dir = path; isInside(dir, last); dir = dirname(dir)) if (!attempt(() => rmdirSync(dir)).ok) return;
}
