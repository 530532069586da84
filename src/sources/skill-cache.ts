import type { FileStamp } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { readOwnBytes, writeWhole } from '../platform/files/files.ts';
import { decodeRows, encodeRows, type CacheRow, type KeptRow, type ReadSkill } from './cache-rows.ts';
import type { CachedPlace } from './packed-skill.ts';

/**
 * Remembers the files read under one source root, by directory (`pdf`; `pdf/skill.md` for another spelling). An
 * unchanged file is read once, by this process or, through the cache folder, by an earlier one. A cache file that is
 * damaged, or of another version or root, counts as missing.
 */
export interface SkillCache {
  /** The earlier result, if the file's stamp has not changed. */
  find(key: string, place: CachedPlace, readStamp: () => FileStamp | undefined): ReadSkill | undefined;
  put(key: string, stamp: FileStamp, read: ReadSkill): void;
  /** Saves what this process used for the next one. A failure to write only costs time. */
  save(): void;
}

/** Raise the second part if parsing gives other records without a release. */
const CACHE_VERSION = `${VERSION}-14`;

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const file = cacheFile(agentHome, 'skills', root);
  const owner = `${CACHE_VERSION} ${root}`;
  const bytes = readOwnBytes(file);
  const kept = bytes === undefined ? undefined : decodeRows(bytes, owner);
  /** The results that this process used: its own, and rows of the file. */
  const entries = new Map<string, CacheRow | KeptRow>();
  let savedCount = kept?.count ?? 0;
  let isDirty = false;
  return {
    find(key, place, readStamp) {
      const known = entries.get(key);
      const own = known === undefined || 'rows' in known ? undefined : known;
      const row = own === undefined ? kept?.rowOf(key) : undefined;
      const stamp = own === undefined && row === undefined ? undefined : readStamp();
      if (stamp === undefined) return undefined;
      if (own !== undefined) return isSameStamp(own.stamp, stamp) ? own.read : undefined;
      if (kept === undefined || row === undefined || !kept.isStampedAs(row, stamp)) return undefined;
      const read = kept.read(row, place);
      if (read !== undefined && known === undefined) entries.set(key, { rows: kept, row });
      return read;
    },
    put(key, stamp, read) {
      isDirty = true;
      if (Number.isNaN(stamp.ctimeMs)) entries.delete(key);
      else entries.set(key, { key, stamp, read });
    },
    save() {
      // Rows that this process did not use are of skills that are gone.
      if (!isDirty && entries.size === savedCount) return;
      writeWhole(file, encodeRows(owner, [...entries.values()]));
      isDirty = false;
      savedCount = entries.size;
    },
  };
}

function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}
