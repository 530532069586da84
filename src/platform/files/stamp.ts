import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import type { FileStamp } from '../../model/folder.ts';
import { now } from '../clock.ts';
import { attempt } from '../errors.ts';

/** The time resolution of file systems: a file that changes twice within one tick may keep its stamp. */
const TICK_MS = 50;

/** Prepares a stamp for a cache. A file that changed within the last tick gets a stamp that equals no other. */
export function cacheableStamp(stamp: FileStamp): FileStamp {
  const isSettled = now() - stamp.ctimeMs > TICK_MS;
  return isSettled ? copyStamp(stamp) : { ...copyStamp(stamp), ctimeMs: Number.NaN };
}

/** Is this the same version of the file? */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

/** Copies only the four numbers; the system's own record has many more. */
function copyStamp({ mtimeMs, ctimeMs, size, ino }: FileStamp): FileStamp {
  return { mtimeMs, ctimeMs, size, ino };
}

/** Changes within this time of each other may get the same time from the file system, or belong together. */
const UNSETTLED_MS = 500;

/**
 * A text that changes whenever an entry is added to or removed from one of these folders, or one of these files changes.
 * Links are followed. Undefined if a place changed a moment ago: more may come without changing its time.
 */
export function fingerprintPaths(paths: readonly string[]): string | undefined {
  const settled = now() - UNSETTLED_MS;
  const lines: string[] = [];
  for (const path of new Set(paths)) {
    const stats = statOrNothing(path);
    if (stats !== undefined && stats.ctimeMs > settled) return undefined;
    lines.push(stats === undefined ? path : `${path} ${stats.ino} ${stats.size} ${stats.ctimeMs}`);
  }
  return lines.join('\n');
}

function statOrNothing(path: string): Stats | undefined {
  const stats = attempt(() => statSync(path, { throwIfNoEntry: false }));
  return stats.ok ? stats.value : undefined;
}

/**
 * A text that changes whenever anything in the folder does: names, contents, permissions, links. Reads no file, so it is
 * much cheaper than a digest. Of packages in `node_modules` it sees only that some were added or removed.
 */
export function stampFolder(dir: string): string {
  return listStamps(dir, { leaveOut: 'node_modules' })
    .map(({ line }) => line)
    .join('\n');
}

/** The same with all packages; undefined if anything changed so recently that a further change might keep the stamp. */
export function stampSettledFolder(dir: string): string | undefined {
  const stamps = listStamps(dir);
  const last = now() - TICK_MS;
  return stamps.some(({ changedMs }) => changedMs > last) ? undefined : stamps.map(({ line }) => line).join('\n');
}

interface EntryStamp {
  readonly line: string;
  readonly changedMs: number;
}

function listStamps(dir: string, { leaveOut }: { readonly leaveOut?: string } = {}): readonly EntryStamp[] {
  const lines: EntryStamp[] = [];
  const folders = [dir];
  for (const folder of folders) {
    lines.push(stampEntry(folder));
    const names = attempt(() => readdirSync(folder, { withFileTypes: true }));
    for (const entry of names.ok ? names.value.sort(byName) : []) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== leaveOut) folders.push(path);
      else lines.push(stampEntry(path));
    }
  }
  return lines;
}

/** The system sets the change time (ctime) itself, so no program can restore it. */
function stampEntry(path: string): EntryStamp {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  if (!stats.ok) return { line: `${path} ${stats.errno}`, changedMs: 0 };
  const { ino, size, mode, mtimeNs, ctimeNs } = stats.value;
  return { line: `${path} ${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`, changedMs: Number(ctimeNs) / 1e6 };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
