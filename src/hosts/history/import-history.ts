import { isAbsolute } from 'node:path';

import type { HostId } from '../../model/host-id.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { FileStamp } from '../../model/skill.ts';
import { breathe } from '../../platform/clock.ts';
import { projectDirectories } from '../../platform/project.ts';
import type { IdentifiedEvents, ImportBatch, Reading } from '../../usage/usage-store.ts';
import type { Host, HostPlace } from '../host.ts';
import { compileNeedles, type FindAny } from './find-any.ts';
import type { LineHistory } from './host-history.ts';
import { listHistory } from './list-history.ts';
import { readDatabase } from './read-database.ts';
import { hasLearned, needlesOf, readFile, type FileRead, type FileToRead, type ReadTools } from './read-file.ts';
import { PIECE_BYTES } from './scan-lines.ts';

/** Keeps what is found; the history of use does. */
export interface HistoryKeeper {
  readings(): Promise<Outcome<{ readonly readings: readonly Reading[] | undefined }>>;
  import(batch: ImportBatch): Promise<Outcome<{ readonly added: number }>>;
}

/** How much to read at most; the newest files come first, and the next time goes on. */
export interface ImportLimits {
  readonly bytes?: number | undefined;
  readonly ms?: number | undefined;
}

export interface ImportOptions extends ImportLimits {
  readonly place: HostPlace;
  readonly team: string;
  readonly keeper: HistoryKeeper;
  /** Hashes the words of a request, if they are learned. */
  readonly toWords?: ((request: string) => readonly number[]) | undefined;
  readonly clock: () => number;
  /** Are these all hosts? Then readings of files that no longer exist are forgotten. */
  readonly isAll?: boolean | undefined;
}

/** How much of one host's history was read. */
export interface HostImport {
  readonly host: HostId;
  /** All files of its history. */
  readonly files: number;
  /** Files that were new or changed, and were read now. */
  readonly read: number;
  readonly bytes: number;
  /** Lines that are cut, or too long. */
  readonly badLines: number;
  /** Files that could not be opened. */
  readonly unreadable: readonly string[];
  /** Files that are left for the next time, since a limit was reached. */
  readonly left: number;
}

export interface HistoryImport {
  readonly hosts: readonly HostImport[];
  /** Events that were not known before. */
  readonly added: number;
}

/**
 * Reads what the hosts remember, from where the last reading ended. Events and how far was read are kept together, so an
 * import may be killed or repeated at any time. The result is undefined if no history is kept.
 */
export async function importHistory(
  hosts: readonly Host[],
  options: ImportOptions,
): Promise<Outcome<{ readonly imported: HistoryImport | undefined }>> {
  const known = await options.keeper.readings();
  if (!known.ok) return known;
  if (known.readings === undefined) return { ok: true, imported: undefined };
  const readings = new Map(known.readings.map((reading) => [reading.path, reading]));
  const { clock, place, ms = Infinity } = options;
  const end = clock() + ms;
  const isLate = (): boolean => clock() >= end;
  const listed = hosts.map((host) => ({ host, files: listHistory(host, place, isLate) }));
  const changed = listed
    .flatMap(({ host, files }) =>
      files.flatMap(({ path, stamp }) => {
        const reading = readings.get(path);
        readings.delete(path);
        const isKnown = isSame(stamp, reading) && (options.toWords === undefined || hasLearned(reading));
        return isKnown ? [] : [{ host, file: { path, stamp, reading } }];
      }),
    )
    .sort((a, b) => b.file.stamp.mtimeMs - a.file.stamp.mtimeMs);
  const isListed = !isLate();
  const done = await readChanged(changed, { ...options, isLate });
  if (!done.ok) return done;
  // Only with everything listed it is known which files no longer exist.
  const gone = options.isAll === true && isListed ? [...readings.keys()] : [];
  if (gone.length > 0) {
    const swept = await options.keeper.import({ found: [], readings: [], gone });
    if (!swept.ok) return swept;
  }
  const counts = listed.map(({ host, files }) => sumUp(host.id, files.length, done.results));
  return { ok: true, imported: { hosts: counts, added: done.added } };
}

function isSame({ size, mtimeMs, ino }: FileStamp, reading: Reading | undefined): boolean {
  return reading?.size === size && reading.mtimeMs === mtimeMs && reading.inode === String(ino);
}

interface Work {
  readonly host: Host;
  readonly file: FileToRead;
}

interface Result {
  readonly host: HostId;
  readonly path: string;
  readonly state: 'read' | 'unreadable' | 'left';
  readonly read?: FileRead | undefined;
}

/** So many events, or bytes, are kept at once: a killed import loses no more than that. */
const BATCH_EVENTS = 2_000;
const BATCH_BYTES = 268_435_456;

async function readChanged(
  changed: readonly Work[],
  options: ImportOptions & { readonly isLate: () => boolean },
): Promise<Outcome<{ readonly results: readonly Result[]; readonly added: number }>> {
  const { bytes: maxBytes = Infinity, isLate } = options;
  const batch = openBatch(options.keeper);
  const isSpent = (bytes: number): boolean => batch.bytes() + bytes >= maxBytes || isLate();
  const { team, toWords } = options;
  const tools = { ...openTools(toWords !== undefined), team, toWords, isEnough: isSpent };
  const results: Result[] = [];
  for (const [at, { host, file }] of changed.entries()) {
    const isLeft = at > 0 && isSpent(0);
    const read = isLeft ? undefined : readOne(host, file, { ...tools, host: host.id });
    results.push({ host: host.id, path: file.path, state: isLeft ? 'left' : read ? 'read' : 'unreadable', read });
    if (read === undefined) continue;
    const kept = await batch.add(read);
    if (!kept.ok) return kept;
    await breathe();
  }
  const kept = await batch.keep();
  return kept.ok ? { ok: true, results, added: batch.added() } : kept;
}

interface Batch {
  /** All bytes that were read so far. */
  bytes(): number;
  /** All events that were new so far. */
  added(): number;
  add(read: FileRead): Promise<Outcome>;
  keep(): Promise<Outcome>;
}

function openBatch(keeper: HistoryKeeper): Batch {
  let [found, readings]: [IdentifiedEvents[], Reading[]] = [[], []];
  let [bytes, keptBytes, added] = [0, 0, 0];
  const keep = async (): Promise<Outcome> => {
    if (readings.length === 0) return { ok: true };
    const kept = await keeper.import({ found, readings });
    if (kept.ok) added += kept.added;
    [found, readings, keptBytes] = [[], [], bytes];
    return kept;
  };
  return {
    bytes: () => bytes,
    added: () => added,
    async add(read) {
      bytes += read.bytes;
      for (const events of read.found) found.push(events);
      readings.push(read.reading);
      return found.length >= BATCH_EVENTS || bytes - keptBytes >= BATCH_BYTES ? keep() : { ok: true };
    },
    keep,
  };
}

function readOne({ history }: Host, file: FileToRead, tools: ReadTools): FileRead | undefined {
  return history.kind === 'lines' ? readFile(history, file, tools) : readDatabase(history, file, tools);
}

/** Used for all files of an import. */
function openTools(learns: boolean): Pick<ReadTools, 'memory' | 'projectOf' | 'finderOf'> {
  const [projects, finders] = [new Map<string, string>(), new Map<LineHistory, FindAny>()];
  return {
    memory: Buffer.allocUnsafe(PIECE_BYTES),
    projectOf(cwd) {
      const project = projects.get(cwd) ?? (isAbsolute(cwd) ? (projectDirectories(cwd).at(-1) ?? cwd) : cwd);
      projects.set(cwd, project);
      return project;
    },
    finderOf(history) {
      const finder = finders.get(history) ?? compileNeedles(needlesOf(history, learns).map(({ text }) => text));
      finders.set(history, finder);
      return finder;
    },
  };
}

function sumUp(host: HostId, files: number, results: readonly Result[]): HostImport {
  const own = results.filter((result) => result.host === host);
  const reads = own.flatMap(({ read }) => (read === undefined ? [] : [read]));
  return {
    host,
    files,
    read: reads.length,
    bytes: reads.reduce((sum, { bytes }) => sum + bytes, 0),
    badLines: reads.reduce((sum, { badLines }) => sum + badLines, 0),
    unreadable: own.filter(({ state }) => state === 'unreadable').map(({ path }) => path),
    left: own.filter(({ state, read }) => state === 'left' || read?.isWhole === false).length,
  };
}
