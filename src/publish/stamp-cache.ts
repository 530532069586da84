import type { FileStamp } from '../model/folder.ts';
import { readStamp } from '../platform/files/files.ts';
import { cacheableStamp, isSameStamp } from '../platform/files/stamp.ts';

/** Values derived from files. Each is kept until its file changes. */
export interface StampCache<T> {
  get(file: string, read: () => T): T;
}

/** The cache is cleared at this size; an entry takes about a hundred bytes. */
const MAX_ENTRIES = 100_000;

export function openStampCache<T>(): StampCache<T> {
  const known = new Map<string, { readonly stamp: FileStamp; readonly value: T }>();
  return {
    get(file, read) {
      const stamp = readStamp(file);
      const before = known.get(file);
      if (stamp !== undefined && before !== undefined && isSameStamp(before.stamp, stamp)) return before.value;
      const value = read();
      if (known.size >= MAX_ENTRIES) known.clear();
      if (stamp !== undefined) known.set(file, { stamp: cacheableStamp(stamp), value });
      return value;
    },
  };
}
