import type { FileStamp } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { readOwnBytes, writeWhole } from '../platform/files/files.ts';
import { decodeRows, encodeRows, type KeptRow, type ReadSkill } from './cache-rows.ts';
import type { CachedPlace } from './packed-skill.ts';

/**
 * Remembers the files read under one source root, by directory (`pdf`; `pdf/skill.md` for another spelling). An
 * unchanged file is read once, by this process or, through the cache folder, by an earlier one. A cache file that is
 * damaged, or of another version or root, counts as missing.
 */
export interface SkillCache {
  /** The earlier result, if the file's stamp has not changed. */
  find(key: string, place: CachedPlace, readStamp: () => FileStamp | undefined): ReadSkill | undefined;
  /** Remembers the row of a file that was read now, unless it changed a moment ago. */
  put(key: string, kept: KeptRow): void;
  /** Saves what this process used for the next one. A failure to write only costs time. */
  save(): void;
}

/** Raise the second part if parsing gives other records without a release. */
const CACHE_VERSION = `${VERSION}-15`;

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const file = cacheFile(agentHome, 'skills', root);
  const owner = `${CACHE_VERSION} ${root}`;
  const bytes = readOwnBytes(file);
  const kept = bytes === undefined ? undefined : decodeRows(bytes, owner);
  /** The rows that this process used. */
  const entries = new Map<string, KeptRow>();
  let savedCount = kept?.count ?? 0;
  let isDirty = false;
  const findRow = (key: string): KeptRow | undefined => {
    const row = kept?.rowOf(key);
    return kept === undefined || row === undefined ? undefined : { rows: kept, row };
  };
  return {
    find(key, place, readStamp) {
      const used = entries.get(key);
      const known = used ?? findRow(key);
      const stamp = known === undefined ? undefined : readStamp();
      if (known === undefined || stamp === undefined || !known.rows.isStampedAs(known.row, stamp)) {
        entries.delete(key);
        return undefined;
      }
      const read = known.rows.read(known.row, place);
      if (read !== undefined && used === undefined) entries.set(key, known);
      return read;
    },
    put(key, row) {
      if (!row.rows.isSettled(row.row)) return;
      isDirty = true;
      entries.set(key, row);
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
