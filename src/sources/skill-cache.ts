import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp, Skill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { cacheFile, parseJsonSafely } from '../platform/files/cache-file.ts';
import { readOwnText, writeWhole } from '../platform/files/files.ts';
import { copyStamp } from '../platform/files/stamp.ts';
import {
  packDiagnostics,
  packSkill,
  unpackDiagnostics,
  unpackSkill,
  type PackedDiagnostic,
  type PackedSkill,
  type SkillPlace,
} from './packed-skill.ts';

/** What reading one file gave: a skill, or the flaws that prevented one. */
export type ReadSkill =
  | { readonly skill: Skill; readonly diagnostics?: never }
  | { readonly skill?: never; readonly diagnostics: readonly Diagnostic[] };

/**
 * What was read under one source root, by directory (`pdf`; `pdf/skill.md` for another spelling). An unchanged file
 * is not read twice, neither by this process nor, through a file in the cache folder, by the next one. The files
 * decide: a cache file that is broken, of another version or of another root is none.
 */
export interface SkillCache {
  /** What reading the file gave, if it still has the stamp it had then. */
  find(key: string, place: SkillPlace, readStamp: () => FileStamp | undefined): ReadSkill | undefined;
  put(key: string, stamp: FileStamp, read: ReadSkill): void;
  /** Keeps what this process used, for the next one. Failing to write only costs time. */
  save(): void;
}

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const file = cacheFile(agentHome, 'skills', root);
  const entries = load(file, root);
  let isDirty = false;
  return {
    find(key, place, readStamp) {
      const entry = entries.get(key);
      const stamp = entry === undefined ? undefined : readStamp();
      if (entry === undefined || stamp === undefined || !isSameStamp(entry, stamp)) return undefined;
      entry.isUsed = true;
      return (entry.read ??= unpack(entry.packed, place, copyStamp(stamp)));
    },
    put(key, { mtimeMs, ctimeMs, size, ino }, read) {
      isDirty = true;
      entries.delete(key);
      if (!Number.isNaN(ctimeMs))
        entries.set(key, { stamps: [mtimeMs, ctimeMs, size, ino], at: 0, packed: undefined, read, isUsed: true });
    },
    save() {
      const used = [...entries].filter(([, entry]) => entry.isUsed);
      if (isDirty || used.length < entries.size) writeWhole(file, JSON.stringify(toContent(used, root)));
      isDirty = false;
    },
  };
}

/** Raise the second part when what is read from a file changes without a release. */
const CACHE_VERSION = `${VERSION}-5`;

type Packed = PackedSkill | readonly PackedDiagnostic[];

interface Entry {
  /** The stamp is the four numbers from `at` on: modification time, change time, size, inode. */
  readonly stamps: readonly number[];
  readonly at: number;
  /** As the cache file has it; unpacked when it is asked for. */
  readonly packed: Packed | undefined;
  read: ReadSkill | undefined;
  isUsed: boolean;
}

function isSameStamp({ stamps, at }: Entry, { mtimeMs, ctimeMs, size, ino }: FileStamp): boolean {
  return stamps[at] === mtimeMs && stamps[at + 1] === ctimeMs && stamps[at + 2] === size && stamps[at + 3] === ino;
}

function pack(read: ReadSkill | undefined): Packed {
  return read?.skill === undefined ? packDiagnostics(read?.diagnostics ?? []) : packSkill(read.skill);
}

function unpack(packed: Packed | undefined, place: SkillPlace, stamp: FileStamp): ReadSkill {
  if (packed === undefined || isDiagnostics(packed))
    return { diagnostics: unpackDiagnostics(packed ?? [], place.file) };
  return { skill: unpackSkill(packed, place, stamp) };
}

function isDiagnostics(packed: Packed): packed is readonly PackedDiagnostic[] {
  return Array.isArray(packed);
}

/** The file's content, in columns: a few long arrays parse faster than many short ones. */
interface CacheContent {
  readonly version: string;
  readonly root: string;
  readonly keys: readonly string[];
  /** Four numbers an entry. */
  readonly stamps: readonly number[];
  readonly records: readonly (Packed | null)[];
}

function toContent(entries: readonly (readonly [string, Entry])[], root: string): CacheContent {
  return {
    version: CACHE_VERSION,
    root,
    keys: entries.map(([key]) => key),
    stamps: entries.flatMap(([, { stamps, at }]) => stamps.slice(at, at + 4)),
    records: entries.map(([, { packed, read }]) => packed ?? pack(read)),
  };
}

function load(file: string, root: string): Map<string, Entry> {
  const text = readOwnText(file);
  const content = text.ok && text.text !== undefined ? parseJsonSafely(text.text) : undefined;
  const entries = new Map<string, Entry>();
  if (!isCacheContent(content) || content.root !== root) return entries;
  const { keys, stamps, records } = content;
  for (const [index, key] of keys.entries()) {
    const packed = records[index];
    if (typeof packed === 'object' && packed !== null)
      entries.set(key, { stamps, at: 4 * index, packed, read: undefined, isUsed: false });
  }
  return entries;
}

/** The version vouches for what is in a record: the same code wrote it, whole or not at all. */
function isCacheContent(content: unknown): content is CacheContent {
  if (typeof content !== 'object' || content === null) return false;
  const isOurs = 'version' in content && content.version === CACHE_VERSION;
  return isOurs && ['keys', 'stamps', 'records'].every((column) => Array.isArray(Object(content)[column]));
}
