import type { FileStamp } from '../../model/skill.ts';
import { now } from '../clock.ts';

/** File systems tick: a file that changes twice within one tick may keep its stamp. */
const TICK_MS = 50;

/** Prepares a stamp for keeping. A file that changed within the last tick gets a stamp that equals no other. */
export function settleStamp(stamp: FileStamp): FileStamp {
  const isSettled = now() - stamp.ctimeMs > TICK_MS;
  return isSettled ? copyStamp(stamp) : { ...copyStamp(stamp), ctimeMs: Number.NaN };
}

/** Only the four numbers; what the system returns holds many more. */
export function copyStamp({ mtimeMs, ctimeMs, size, ino }: FileStamp): FileStamp {
  return { mtimeMs, ctimeMs, size, ino };
}
