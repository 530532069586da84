import type { FileStamp } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { readOwnBytes, writeWhole } from '../platform/files/files.ts';
import { copyStamp } from '../platform/files/stamp.ts';
import { decodeRows, encodeRows, type CacheRow, type ReadSkill } from './cache-rows.ts';
import type { CachedPlace } from './packed-skill.ts';

/**
 * The files that were read under one source root, by directory (`pdf`; `pdf/skill.md` for another spelling). An
 * unchanged file is not read twice, neither by this process nor, through a file in the cache folder, by the next one.
 * The files decide: a cache file that is broken, of another version or of another root counts as missing.
 */
export interface SkillCache {
  /** The result of reading the file, if it still has the stamp it had then. */
  find(key: string, place: CachedPlace, readStamp: () => FileStamp | undefined): ReadSkill | undefined;
  put(key: string, stamp: FileStamp, read: ReadSkill): void;
  /** Keeps what this process used for the next one. Failing to write only costs time. */
  save(): void;
}

/** Raise the second part when what is read from a file changes without a release. */
const CACHE_VERSION = `${VERSION}-6`;

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const file = cacheFile(agentHome, 'skills', root);
  const owner = `${CACHE_VERSION} ${root}`;
  const bytes = readOwnBytes(file);
  const kept = bytes === undefined ? undefined : decodeRows(bytes, owner);
  /** Rows of the file that no entry has taken the place of. */
  const rows = new Map(kept?.keys.map((key, row) => [key, row]));
  const entries = new Map<string, CacheRow>();
  let isDirty = false;
  return {
    find(key, place, readStamp) {
      const entry = entries.get(key);
      const row = entry === undefined ? rows.get(key) : undefined;
      const stamp = entry === undefined && row === undefined ? undefined : readStamp();
      if (stamp === undefined) return undefined;
      if (entry !== undefined) return isSameStamp(entry.stamp, stamp) ? entry.read : undefined;
      if (kept === undefined || row === undefined || !kept.isStampedAs(row, stamp)) return undefined;
      const own = copyStamp(stamp);
      const read = kept.read(row, place, own);
      if (read === undefined) return undefined;
      rows.delete(key);
      entries.set(key, { key, stamp: own, read });
      return read;
    },
    put(key, stamp, read) {
      isDirty = true;
      rows.delete(key);
      entries.delete(key);
      if (!Number.isNaN(stamp.ctimeMs)) entries.set(key, { key, stamp, read });
    },
    save() {
      if (isDirty || rows.size > 0) writeWhole(file, encodeRows(owner, [...entries.values()]));
      isDirty = false;
      rows.clear();
    },
  };
}

function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}
