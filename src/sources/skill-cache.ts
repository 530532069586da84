import { sep } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import type { ParsedSkill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { now } from '../platform/clock.ts';
import { readOwnText, writeWhole } from '../platform/files.ts';
import type { FileStamp } from '../platform/inside.ts';
import { cacheFile, parseJson } from '../platform/remember.ts';
import {
  packDiagnostics,
  packSkill,
  unpackDiagnostics,
  unpackSkill,
  type PackedDiagnostic,
  type PackedSkill,
} from './packed-skill.ts';

/** What reading one file gave: a skill, or the flaws that prevented one. */
export type ReadSkill =
  | { readonly skill: ParsedSkill; readonly diagnostics?: never }
  | { readonly skill?: never; readonly diagnostics: readonly Diagnostic[] };

/**
 * What was read under one source root, by directory (`pdf`; `pdf/skill.md` for another spelling). An unchanged file
 * is not read twice, neither by this process nor, through a file in the cache folder, by the next one. The files
 * decide: a cache file that is broken, of another version or of another root is none.
 */
export interface SkillCache {
  /** What reading the file gave, if it still has the stamp it had then; `readStamp` is asked only if need be. */
  find(key: string, readStamp: () => FileStamp | undefined): ReadSkill | undefined;
  put(key: string, stamp: FileStamp, read: ReadSkill): void;
  /** Keeps what this process used, for the next one. Failing to write only costs time. */
  save(): void;
}

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const file = cacheFile(agentHome, 'skills', root);
  const entries = load(file, root);
  let isDirty = false;
  return {
    find(key, readStamp) {
      const entry = entries.get(key);
      const stamp = entry === undefined ? undefined : readStamp();
      if (entry === undefined || stamp === undefined || !isSameStamp(entry.stamp, stamp)) return undefined;
      entry.isUsed = true;
      return (entry.read ??= unpack(entry.packed, key, root));
    },
    put(key, stamp, read) {
      isDirty = true;
      entries.delete(key);
      const { mtimeMs, ctimeMs, size, ino } = stamp;
      if (now() - ctimeMs <= TICK_MS) return;
      entries.set(key, { stamp: [mtimeMs, ctimeMs, size, ino], packed: undefined, read, isUsed: true });
    },
    save() {
      const used = [...entries].filter(([, entry]) => entry.isUsed);
      if (isDirty || used.length < entries.size) {
        const packed = used.map(([key, { stamp, packed, read }]) => [key, stamp, packed ?? pack(read)]);
        writeWhole(file, JSON.stringify({ version: CACHE_VERSION, root, entries: packed }));
      }
      isDirty = false;
    },
  };
}

/** Raise the second part when what is read from a file changes without a release. */
const CACHE_VERSION = `${VERSION}-1`;

/** File systems tick: a file changed within the same tick as it was read would keep its stamp. */
const TICK_MS = 50;

type Stamp = readonly [mtimeMs: number, ctimeMs: number, size: number, ino: number];

type Packed = PackedSkill | readonly PackedDiagnostic[];

interface Entry {
  readonly stamp: Stamp;
  /** As the cache file has it; unpacked when it is asked for. */
  readonly packed: Packed | undefined;
  read: ReadSkill | undefined;
  isUsed: boolean;
}

function isSameStamp([mtimeMs, ctimeMs, size, ino]: Stamp, stamp: FileStamp): boolean {
  return mtimeMs === stamp.mtimeMs && ctimeMs === stamp.ctimeMs && size === stamp.size && ino === stamp.ino;
}

function pack(read: ReadSkill | undefined): Packed {
  return read?.skill === undefined ? packDiagnostics(read?.diagnostics ?? []) : packSkill(read.skill);
}

function unpack(packed: Packed | undefined, key: string, root: string): ReadSkill {
  const [id = '', name = 'SKILL.md'] = key.includes('/') ? key.split('/') : [key];
  const dir = `${root}${sep}${id}`;
  const file = `${dir}${sep}${name}`;
  if (packed === undefined || isDiagnostics(packed)) return { diagnostics: unpackDiagnostics(packed ?? [], file) };
  return { skill: unpackSkill(packed, { id, dir, file }) };
}

function isDiagnostics(packed: Packed): packed is readonly PackedDiagnostic[] {
  return Array.isArray(packed);
}

function load(file: string, root: string): Map<string, Entry> {
  const read = readOwnText(file);
  const content = read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
  const entries = new Map<string, Entry>();
  if (!isCacheContent(content) || content.root !== root) return entries;
  for (const entry of content.entries) {
    if (isCacheEntry(entry))
      entries.set(entry[0], { stamp: entry[1], packed: entry[2], read: undefined, isUsed: false });
  }
  return entries;
}

interface CacheContent {
  readonly root: string;
  readonly entries: readonly unknown[];
}

function isCacheContent(content: unknown): content is CacheContent {
  if (typeof content !== 'object' || content === null) return false;
  return (
    'version' in content && content.version === CACHE_VERSION && 'entries' in content && Array.isArray(content.entries)
  );
}

/** The version vouches for what is in a record: the same code wrote it, whole or not at all. */
function isCacheEntry(entry: unknown): entry is [string, Stamp, Packed] {
  if (!Array.isArray(entry)) return false;
  const [key, stamp, packed]: unknown[] = entry;
  return typeof key === 'string' && Array.isArray(stamp) && typeof packed === 'object' && packed !== null;
}
