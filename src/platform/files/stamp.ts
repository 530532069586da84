import { statSync, type Stats } from 'node:fs';

import type { FileStamp } from '../../model/skill.ts';
import { now } from '../clock.ts';
import { attempt } from '../errors.ts';

/** The time resolution of file systems: a file that changes twice within one tick may keep its stamp. */
export const TICK_MS = 50;

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
