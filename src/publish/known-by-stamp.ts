import type { FileStamp } from '../model/skill.ts';
import { readStamp } from '../platform/files/files.ts';
import { settleStamp } from '../platform/files/stamp.ts';

/** What was made of files, each kept as long as its file stays as it was. */
export interface KnownByStamp<T> {
  get(file: string, read: () => T): T;
}

/** Beyond this all is forgotten and read again: some hundred bytes each. */
const MOST_KNOWN = 100_000;

export function openKnownByStamp<T>(): KnownByStamp<T> {
  const known = new Map<string, { readonly stamp: FileStamp; readonly value: T }>();
  return {
    get(file, read) {
      const stamp = readStamp(file);
      const before = known.get(file);
      if (stamp !== undefined && before !== undefined && isSame(before.stamp, stamp)) return before.value;
      const value = read();
      if (known.size >= MOST_KNOWN) known.clear();
      if (stamp !== undefined) known.set(file, { stamp: settleStamp(stamp), value });
      return value;
    },
  };
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}
