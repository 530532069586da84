import type { FileStamp } from '../../model/skill.ts';
import { now } from '../clock.ts';

/** The time resolution of file systems: a file that changes twice within one tick may keep its stamp. */
export const TICK_MS = 50;

/** Prepares a stamp for a cache. A file that changed within the last tick gets a stamp that equals no other. */
export function settleStamp(stamp: FileStamp): FileStamp {
  const isSettled = now() - stamp.ctimeMs > TICK_MS;
  return isSettled ? copyStamp(stamp) : { ...copyStamp(stamp), ctimeMs: Number.NaN };
}

/** Copies only the four numbers; the system's own record has many more. */
export function copyStamp({ mtimeMs, ctimeMs, size, ino }: FileStamp): FileStamp {
  return { mtimeMs, ctimeMs, size, ino };
}
