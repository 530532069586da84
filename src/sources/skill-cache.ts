import { compareText } from '../model/order.ts';
import { VERSION } from '../model/version.ts';
import { cacheFile } from '../platform/files/cache-file.ts';
import { exists, readStamp } from '../platform/files/files.ts';
import { openOwnFile } from '../platform/files/open-file.ts';
import { stampEntries } from '../platform/files/stamp.ts';
import { writeWhole } from '../platform/files/write-file.ts';
import { decodeRows, encodeRows, type KeptRoot, type KeptRow, type ReadSkill } from './cache-rows.ts';
import type { FolderPlace } from './cached-skill.ts';
import {
  isListedAt,
  listRoot,
  NO_LISTING,
  packListing,
  unpackListing,
  type ListedRoot,
  type PackedListing,
} from './root-listing.ts';

/**
 * Remembers the entries of one source root and the files read under it, by directory (`pdf`; `pdf/skill.md` for another
 * spelling). An unchanged folder is listed once and an unchanged file is read once, by this process or, through the
 * cache folder, by an earlier one. A cache file that is damaged, or of another version or root, counts as missing.
 */
export interface SkillCache {
  /** The entries of the root. */
  list(): ListedRoot;
  /** The row of a file that has not changed since it was read. */
  find(key: string, file: string): KnownRow | undefined;
  /** The skill of such a row; see `CacheRows.read`. */
  read(known: KnownRow, folder: FolderPlace): ReadSkill | undefined;
  /** Has this row of the cache file a skill with a plain name, which is that of its directory? */
  isPlainlyNamed(row: number): boolean;
  /** Remembers the row of a file that was read now, unless it changed a moment ago. */
  put(key: string, kept: KeptRow): void;
  /** Saves what this process used for the next one. A failure to write only costs time. */
  save(): void;
}

/** A row of the cache file, which is in the order of keys, or a row that this process read. */
export type KnownRow = number | KeptRow;

/** Raise the second part if parsing gives other records without a release. */
const CACHE_VERSION = `${VERSION}-18`;

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const file = cacheFile(agentHome, 'skills', root);
  const owner = `${CACHE_VERSION} ${root}`;
  const kept = readKept(file, owner);
  /** Marks the rows of the file that this process used. The others are of skills that are gone. */
  const used = new Uint8Array(kept?.rows.count ?? 0);
  /** The rows of files that this process read. */
  const fresh = new Map<string, KeptRow>();
  function* listKept(): Generator<KeptRow> {
    for (const [row, mark] of used.entries()) if (kept !== undefined && mark === 1) yield { rows: kept.rows, row };
  }
  let listing: PackedListing = kept?.listing ?? NO_LISTING;
  let listed: ListedRoot | undefined;
  let savedCount = used.length;
  let isDirty = false;
  return {
    list() {
      const stamp = stampEntries(root);
      if (stamp !== undefined && isListedAt(listing, stamp))
        return (listed ??= { state: 'listed', ...unpackListing(listing) });
      const now = listRoot(root);
      listed = now;
      listing = stamp !== undefined && now.state === 'listed' ? packListing(now, stamp) : NO_LISTING;
      isDirty ||= listing !== NO_LISTING;
      return now;
    },
    find(key, path) {
      const read = fresh.size === 0 ? undefined : fresh.get(key);
      const rows = read?.rows ?? kept?.rows;
      const row = read?.row ?? rows?.rowOf(key);
      if (rows === undefined || row === undefined) return undefined;
      const stamp = readStamp(path);
      const isSame = stamp !== undefined && rows.isStampedAs(row, stamp) && rows.isWhole(row);
      if (read === undefined) used[row] = Number(isSame);
      else if (!isSame) fresh.delete(key);
      return isSame ? (read ?? row) : undefined;
    },
    read: (known, folder) =>
      typeof known === 'number' ? kept?.rows.read(known, folder) : known.rows.read(known.row, folder),
    isPlainlyNamed: (row) => kept?.rows.isPlainlyNamed(row) === true,
    put(key, row) {
      if (!row.rows.isSettled(row.row)) return;
      isDirty = true;
      fresh.set(key, row);
    },
    save() {
      const count = fresh.size + used.reduce((sum, mark) => sum + mark, 0);
      if (!isDirty && count === savedCount) return;
      writeWhole(file, encodeRows(owner, [...listKept(), ...fresh.values()].sort(byKey), listing));
      isDirty = false;
      savedCount = count;
    },
  };
}

/** In pieces, so that nothing of the file stays in memory beside its columns. */
function readKept(path: string, owner: string): KeptRoot | undefined {
  // Not `using`: processes of Node 22 run this source as it is.
  const file = exists(path) ? openOwnFile(path) : undefined;
  try {
    return file && decodeRows(file, owner);
  } finally {
    file?.[Symbol.dispose]();
  }
}

/** The order in which they are looked up, which makes that fast. */
function byKey(a: KeptRow, b: KeptRow): number {
  return compareText(a.rows.keyOf(a.row), b.rows.keyOf(b.row));
}
