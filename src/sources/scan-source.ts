import { sep } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { isPlainObject, toPlainData, toShortLine, type PlainObject } from '../model/foreign-values.ts';
import { freezeDeep } from '../model/freeze.ts';
import {
  MAX_LISTED_FLAWS,
  MAX_SKILLS_PER_ROOT,
  MAX_SOURCE_BYTES,
  SOURCE_SCAN_FACTOR,
  SOURCE_TIMEOUT_MS,
} from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { findPathFault } from '../model/path-fault.ts';
import { sourceName, type GivenSource, type SourceSkill } from '../model/skill-source.ts';
import type { SourceRoot } from '../model/source.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { now, yieldToEventLoop } from '../platform/clock.ts';
import { brokenSkill } from './broken-skill.ts';
import { openRootReader, type RootFiles } from './root-reader.ts';
import { breakUndescribed, type FoundSkill } from './scan.ts';
import type { ReadSkills } from './skill-cache.ts';
import { askSource, openStoredSkill, type StoredSkill } from './source-folder.ts';
import { customSource } from './table.ts';

export interface SourceScan {
  /** By the ids of the skills. */
  readonly found: readonly FoundSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A source that is no directory, scanned as often as needed. */
export interface OpenSource {
  readonly root: SourceRoot;
  /** Never rejects: a source that fails costs its own skills alone. */
  scan(): Promise<SourceScan>;
  /** Does the source's stamp differ from that of the last scan? A source without one never says so. */
  hasChanged(): Promise<boolean>;
  watch(onChange: () => void): () => void;
}

/** So many skills are read while one is parsed. */
const AHEAD = 8;
/** Lets other work of the process run after so many entries. */
const YIELD_EVERY = 64;

/**
 * Opens a source as one more root: the skills are parsed and judged as those of a directory are. `ordinal` counts the directories and
 * sources before it.
 */
export function openSource({ source, timeoutMs = SOURCE_TIMEOUT_MS }: GivenSource, ordinal: number): OpenSource {
  const name = sourceName(source);
  let folders: ReadonlyMap<string, StoredSkill> = new Map();
  let settled: ReadSkills = new Map();
  let last: readonly FoundSkill[] = [];
  let stamp: string | undefined;
  // No directory has such a path on any system: `:` is not allowed on Windows, and only root could make one elsewhere.
  const path = `${sep}${name}`;
  const root: SourceRoot = {
    ...customSource(ordinal, 'user'),
    id: name,
    group: source.id,
    path,
    ordinal,
    boundary: undefined,
    folders: () => folders,
  };

  const askStamp = async (): Promise<string | undefined> => {
    if (source.stamp === undefined) return undefined;
    const asked = await askSource({ who: 'the stamp', timeoutMs }, async (signal) => source.stamp?.(signal));
    return asked.ok && typeof asked.value === 'string' ? asked.value : undefined;
  };

  /** The skill as it was, if its source says that it is the same; else nothing of it has been read. */
  const openListed = (listed: SourceSkill): StoredSkill => {
    const dir = `${path}${sep}${listed.id}`;
    const place = { source, dir, timeoutMs, isListed: () => folders.has(listed.id) };
    const fresh = openStoredSkill(listed, place);
    const before = folders.get(listed.id);
    return before?.isPinned === true && before.isWhole && before.listing === fresh.listing ? before : fresh;
  };

  return {
    root,
    async scan() {
      const diagnostics: Diagnostic[] = [];
      const report: Report = (code, at, message) =>
        void diagnostics.push({ code, severity: 'warning', path: at, message });
      const ending = now() + timeoutMs * SOURCE_SCAN_FACTOR;
      // Asked for before the list, so that a change in between is seen.
      const stampNow = await askStamp();
      const listed = await askSource({ who: 'the list', timeoutMs }, (signal) => source.list(signal));
      const entries = listed.ok ? readEntries(listed.value, path, report) : listed;
      if (!entries.ok) {
        const kept = last.length === 0 ? '' : `; its ${last.length} skills stay as they were`;
        report('SOURCE_UNREADABLE', path, `the source cannot be listed: ${entries.message}${kept}`);
        return { found: last, diagnostics };
      }

      const found: FoundSkill[] = [];
      const read = new Map<string, StoredSkill>();
      const reader = openRootReader(root, { known: settled, files: filesOf(read), folders: entries.listed.length });
      const add = ({ id, problem, stored }: OpenedEntry): void => {
        const dir = `${path}${sep}${id}`;
        if (stored === undefined) {
          const file = `${dir}${sep}${SKILL_FILE}`;
          const flaw = { code: 'FILE_UNREADABLE', severity: 'error', path: file, message: problem } as const;
          found.push({ skill: freezeDeep(brokenSkill({ id, dir, file }, root, flaw)), root, realDir: dir });
          return;
        }
        read.set(id, stored);
        reportRefused(stored, report);
        const { fileName } = stored;
        const skill = fileName === undefined ? undefined : reader.read({ id, dir, realDir: dir }, fileName);
        if (skill === undefined) report('SKILL_FILE_MISSING', dir, `the source lists no ${SKILL_FILE} for it`);
        else found.push({ skill: breakUndescribed(skill), root, realDir: dir });
        if (fileName !== undefined && fileName !== SKILL_FILE)
          report('FILE_NAME_CASE', `${dir}${sep}${fileName}`, `call it ${SKILL_FILE}: other agents do not find it`);
      };
      let [held, count] = [0, 0];
      for await (const entry of readAhead(entries.listed, openListed, () => now() < ending)) {
        held += entry.stored?.heldBytes ?? 0;
        if (held > MAX_SOURCE_BYTES) break;
        add(entry);
        count += 1;
        if (count % YIELD_EVERY === 0) await yieldToEventLoop();
      }
      const left = entries.listed.length - count;
      const limit =
        held > MAX_SOURCE_BYTES
          ? `all skills of a source together may have ${MAX_SOURCE_BYTES} bytes`
          : `reading the source took longer than ${(timeoutMs * SOURCE_SCAN_FACTOR) / 1000} s`;
      if (left > 0) report('SCAN_LIMIT', path, `${left} skills are left out: ${limit}`);
      folders = read;
      settled = reader.settled;
      last = found;
      stamp = stampNow;
      return { found, diagnostics };
    },
    async hasChanged() {
      const stampNow = await askStamp();
      return stampNow !== undefined && stampNow !== stamp;
    },
    watch(onChange) {
      const stop = source.watch?.(onChange);
      return () => stop?.();
    },
  };
}

/** Tells of a flaw of the source, or of files of a skill. */
type Report = (code: Diagnostic['code'], at: string, message: string) => void;

interface Entry {
  readonly id: string;
  /** Undefined if the source cannot give the skill, for which there is a problem then. */
  readonly listed: SourceSkill | undefined;
  readonly problem: string;
}

const MAX_ID_LENGTH = 255;

/** The entries of a list by their ids. The type is only a promise: a source may give anything. */
function readEntries(value: unknown, path: string, report: Report): Outcome<{ readonly listed: readonly Entry[] }> {
  if (!Array.isArray(value)) return fail('STORE_FAILED', 'it gave no list of skills');
  const given: readonly unknown[] = value;
  if (given.length > MAX_SKILLS_PER_ROOT)
    report('SCAN_LIMIT', path, `only the first ${MAX_SKILLS_PER_ROOT} entries are looked at`);
  const entries = new Map<string, Entry>();
  let unlisted = 0;
  const refuse = (message: string): void => {
    if (unlisted < MAX_LISTED_FLAWS) report('FILE_REFUSED', path, message);
    unlisted += 1;
  };
  for (const one of given.slice(0, MAX_SKILLS_PER_ROOT)) {
    const entry = readEntry(one);
    if (typeof entry === 'string') refuse(entry);
    else if (entries.has(entry.id)) refuse(`it lists ${show(entry.id)} twice; the first is used`);
    else entries.set(entry.id, entry);
  }
  if (unlisted > MAX_LISTED_FLAWS)
    report('SCAN_LIMIT', path, `${unlisted - MAX_LISTED_FLAWS} more entries cannot be used`);
  return { ok: true, listed: [...entries.values()].sort((a, b) => compareText(a.id, b.id)) };
}

/** An entry, or why it cannot be used. */
function readEntry(given: unknown): Entry | string {
  const one = copyPlain(given);
  if (!isPlainObject(one) || typeof one['id'] !== 'string') return 'it lists something that is no skill with an id';
  const { id, problem } = one;
  const fault = findPathFault(id);
  if (fault !== undefined || id.includes('/') || id.startsWith('.') || id.length > MAX_ID_LENGTH)
    return `it lists a skill with the id ${show(id)}, which cannot be the name of a folder`;
  if (typeof problem === 'string') return { id, listed: undefined, problem: toShortLine(problem) };
  if (isListed(one)) return { id, listed: one, problem: '' };
  return { id, listed: undefined, problem: `its source lists it with ${findListingFault(one)}` };
}

/** Undefined for something that is no plain data, such as an object that contains itself. */
function copyPlain(value: unknown): unknown {
  try {
    return toPlainData(value);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function findListingFault({ files, stamp, frontmatter }: PlainObject): string | undefined {
  if (!Array.isArray(files)) return 'no list of files';
  if (stamp !== undefined && typeof stamp !== 'string') return 'a stamp that is no text';
  return frontmatter === undefined || isPlainObject(frontmatter) ? undefined : 'fields that are no object';
}

function isListed(one: PlainObject): one is PlainObject & SourceSkill {
  return findListingFault(one) === undefined;
}

/** Hostile text, quoted and cut. */
function show(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

interface OpenedEntry {
  readonly id: string;
  readonly problem: string;
  readonly stored: StoredSkill | undefined;
}

/** Opens entries in their order, several at a time, as long as there is time. */
async function* readAhead(
  entries: readonly Entry[],
  open: (listed: SourceSkill) => StoredSkill,
  hasTime: () => boolean,
): AsyncGenerator<OpenedEntry> {
  const opening: Promise<OpenedEntry>[] = [];
  const waiting = entries.values();
  for (;;) {
    while (opening.length < AHEAD && hasTime()) {
      const { value: entry } = waiting.next();
      if (entry === undefined) break;
      opening.push(openEntry(entry, open));
    }
    const first = opening.shift();
    if (first === undefined) return;
    yield await first;
  }
}

async function openEntry(
  { id, listed, problem }: Entry,
  open: (listed: SourceSkill) => StoredSkill,
): Promise<OpenedEntry> {
  if (listed === undefined) return { id, problem, stored: undefined };
  const stored = open(listed);
  // The files of a skill whose fields are known are read when it is used.
  if (listed.frontmatter === undefined && !stored.isFetched) await stored.fetch();
  return { id, problem, stored };
}

function filesOf(skills: ReadonlyMap<string, StoredSkill>): RootFiles {
  return {
    stamp: ({ id }) => skills.get(id)?.version,
    read({ id }) {
      const stored = skills.get(id);
      const content = stored?.readManifest();
      if (stored === undefined || content === undefined) return fail('RESOURCE_NOT_FOUND', 'File not found');
      return content.ok ? { ...content, stamp: stored.version } : content;
    },
  };
}

function reportRefused({ dir, refused, fileName }: StoredSkill, report: Report): void {
  // A SKILL.md that is not read makes the skill a broken one, which says so.
  const files = refused.filter(({ path }) => path !== fileName);
  for (const { path, reason } of files.slice(0, MAX_LISTED_FLAWS))
    report('FILE_REFUSED', dir, `${show(path)} ${reason}`);
  if (files.length > MAX_LISTED_FLAWS)
    report('SCAN_LIMIT', dir, `${files.length - MAX_LISTED_FLAWS} more of its files are left out`);
}
