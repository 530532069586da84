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

/** A file of a source root: `<root>/<id>/<name>`. */
export interface SkillFile {
  readonly id: string;
  readonly name: string;
}

/**
 * What was read under one source root, by file and stamp. An unchanged file is not read twice, neither by this
 * process nor, through a file in the cache folder, by the next one. The files decide: an entry whose stamp differs
 * is no entry, and a cache file that is broken or of another version is none.
 */
export interface SkillCache {
  /** Is there anything about this file? Asked before its stamp is, which costs a system call. */
  has(file: SkillFile): boolean;
  get(file: SkillFile, stamp: FileStamp): ReadSkill | undefined;
  put(file: SkillFile, stamp: FileStamp, read: ReadSkill): void;
  /** Writes what is new and forgets what was not asked for since the last time. Failing to write only costs time. */
  save(): void;
}

export function openSkillCache(agentHome: string, root: string): SkillCache {
  const path = cacheFile(agentHome, 'skills', root);
  const entries = load(path, root);
  let isDirty = false;
  let asked = 0;
  return {
    has: (file) => entries.has(keyOf(file)),
    get(file, stamp) {
      const entry = entries.get(keyOf(file));
      if (entry === undefined || !isSameStamp(entry.stamp, stamp)) return undefined;
      asked += 1;
      entry.isAsked = true;
      return (entry.read ??= unpack(entry.packed, file, root));
    },
    put(file, stamp, read) {
      isDirty = true;
      if (now() - stamp.ctimeMs <= TICK_MS) entries.delete(keyOf(file));
      else {
        asked += 1;
        entries.set(keyOf(file), {
          stamp: [stamp.mtimeMs, stamp.ctimeMs, stamp.size, stamp.ino],
          read,
          packed: undefined,
          isAsked: true,
        });
      }
    },
    save() {
      if (isDirty || asked < entries.size) {
        for (const [key, entry] of entries) if (!entry.isAsked) entries.delete(key);
        writeWhole(
          path,
          JSON.stringify({
            version: VERSION,
            root,
            entries: [...entries].map(([key, entry]) => [key, entry.stamp, entry.packed ?? pack(entry.read)]),
          }),
        );
      }
      for (const entry of entries.values()) entry.isAsked = false;
      isDirty = false;
      asked = 0;
    },
  };
}

/** File systems tick: a file changed within the same tick as it was read would keep its stamp. */
const TICK_MS = 50;

type Stamp = readonly [mtimeMs: number, ctimeMs: number, size: number, ino: number];

type Packed = PackedSkill | readonly PackedDiagnostic[];

interface Entry {
  readonly stamp: Stamp;
  readonly packed: Packed | undefined;
  read: ReadSkill | undefined;
  isAsked: boolean;
}

function keyOf({ id, name }: SkillFile): string {
  return name === 'SKILL.md' ? id : `${id}/${name}`;
}

function isSameStamp([mtimeMs, ctimeMs, size, ino]: Stamp, stamp: FileStamp): boolean {
  return mtimeMs === stamp.mtimeMs && size === stamp.size && ino === stamp.ino && ctimeMs === stamp.ctimeMs;
}

function pack(read: ReadSkill | undefined): Packed {
  return read?.skill === undefined ? packDiagnostics(read?.diagnostics ?? []) : packSkill(read.skill);
}

function unpack(packed: Packed | undefined, { id, name }: SkillFile, root: string): ReadSkill {
  const dir = `${root}${sep}${id}`;
  const file = `${dir}${sep}${name}`;
  if (packed === undefined || isDiagnostics(packed)) return { diagnostics: unpackDiagnostics(packed ?? [], file) };
  return { skill: unpackSkill(packed, { id, dir, file }) };
}

function isDiagnostics(packed: Packed): packed is readonly PackedDiagnostic[] {
  return Array.isArray(packed);
}

function load(path: string, root: string): Map<string, Entry> {
  const read = readOwnText(path);
  const content = read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
  const entries = new Map<string, Entry>();
  if (!isCacheContent(content) || content.root !== root) return entries;
  for (const [key, stamp, packed] of content.entries)
    entries.set(key, { stamp, packed, read: undefined, isAsked: false });
  return entries;
}

interface CacheContent {
  readonly root: string;
  readonly entries: readonly [string, Stamp, Packed][];
}

/** The version vouches for the shape of the entries: the same code wrote them, whole or not at all. */
function isCacheContent(content: unknown): content is CacheContent {
  if (typeof content !== 'object' || content === null) return false;
  return 'version' in content && content.version === VERSION && 'entries' in content && Array.isArray(content.entries);
}
