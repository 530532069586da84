import type { HostId } from '../../model/host-id.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { FileStamp } from '../../model/skill.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import type { IdentifiedEvents, ImportBatch, KnownFile, KnownFiles, Reading } from '../../usage/usage-store.ts';
import type { Host, HostPlace } from '../host.ts';
import { openHistoryReader, type HostFile } from './history-reader.ts';
import { listHistory } from './list-history.ts';
import type { FileRead } from './read-file.ts';

/** Keeps what is found; the history of use does. */
export interface HistoryKeeper {
  knownFiles(): Promise<Outcome<{ readonly files: KnownFiles | undefined }>>;
  readings(paths: readonly string[]): Promise<Outcome<{ readonly readings: readonly Reading[] }>>;
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
  const known = await options.keeper.knownFiles();
  if (!known.ok) return known;
  if (known.files === undefined) return { ok: true, imported: undefined };
  const { clock, place, ms = Infinity } = options;
  const end = clock() + ms;
  const isLate = (): boolean => clock() >= end;
  const learns = options.toWords !== undefined;
  const { listed, changed, gone } = findChanged(hosts, known.files, { place, isLate, learns });
  const isListed = !isLate();
  const files = await findReadings(changed, known.files, options.keeper);
  const done = files.ok ? await readChanged(files.files, { ...options, isLate }) : files;
  if (!done.ok) return done;
  // Only with everything listed it is known which files no longer exist.
  if (options.isAll === true && isListed && gone.length > 0) {
    const swept = await options.keeper.import({ found: [], readings: [], gone });
    if (!swept.ok) return swept;
  }
  const counts = listed.map(({ host, files: own }) => sumUp(host.id, own, done.results));
  return { ok: true, imported: { hosts: counts, added: done.added } };
}

interface Look {
  readonly place: HostPlace;
  readonly isLate: () => boolean;
  readonly learns: boolean;
}

interface FoundFiles {
  /** How many files each host has. */
  readonly listed: readonly { readonly host: Host; readonly files: number }[];
  /** New or changed, the newest first. */
  readonly changed: readonly HostFile[];
  /** The paths of those that are not there any more. */
  readonly gone: readonly string[];
}

function findChanged(hosts: readonly Host[], known: KnownFiles, { place, isLate, learns }: Look): FoundFiles {
  const [changed, paths]: [HostFile[], string[]] = [[], []];
  let found = 0;
  const listed = hosts.map((host) => {
    const others = paths.length;
    for (const { path, stamp } of listHistory(host, place, isLate)) {
      const before = known.get(path);
      if (before !== undefined) found += 1;
      if (before === undefined || !isSame(stamp, before) || (learns && !before.isLearned))
        changed.push({ host, file: { path, stamp, reading: undefined } });
      paths.push(path);
    }
    return { host, files: paths.length - others };
  });
  changed.sort((a, b) => b.file.stamp.mtimeMs - a.file.stamp.mtimeMs);
  if (found === known.size) return { listed, changed, gone: [] };
  const present = new Set(paths);
  return { listed, changed, gone: [...known.keys()].filter((path) => !present.has(path)) };
}

function isSame({ size, mtimeMs, ino }: FileStamp, known: KnownFile): boolean {
  return known.size === size && known.mtimeMs === mtimeMs && known.inode === String(ino);
}

/** Adds how far the files were read: only of a changed file it matters. */
async function findReadings(
  files: readonly HostFile[],
  known: KnownFiles,
  keeper: HistoryKeeper,
): Promise<Outcome<{ readonly files: readonly HostFile[] }>> {
  const paths = files.map(({ file }) => file.path).filter((path) => known.has(path));
  if (paths.length === 0) return { ok: true, files };
  const found = await keeper.readings(paths);
  if (!found.ok) return found;
  const readings = new Map(found.readings.map((reading) => [reading.path, reading]));
  return {
    ok: true,
    files: files.map(({ host, file }) => ({ host, file: { ...file, reading: readings.get(file.path) } })),
  };
}

/** So many events, or bytes, are kept at once: a killed import loses no more than that. */
const BATCH_EVENTS = 500;
const BATCH_BYTES = 268_435_456;

async function readChanged(
  changed: readonly HostFile[],
  { bytes: maxBytes = Infinity, keeper, team, toWords, isLate }: ImportOptions & { readonly isLate: () => boolean },
): Promise<Outcome<{ readonly results: readonly Result[]; readonly added: number }>> {
  const read = openHistoryReader({ team, toWords });
  const batch = openBatch(keeper);
  const results: Result[] = [];
  let spent = 0;
  const isEnough = (bytes: number): boolean => spent + bytes >= maxBytes || isLate();
  for (const file of changed) {
    const count = { host: file.host.id, path: file.file.path };
    // The first one is read in any case, so that each import gets on.
    if (results.length > 0 && isEnough(0)) {
      results.push({ ...count, state: 'left', ...NOTHING_READ });
      continue;
    }
    const done = read(file, isEnough);
    if (done === undefined) {
      results.push({ ...count, state: 'unreadable', ...NOTHING_READ });
      continue;
    }
    const { bytes, badLines, isWhole } = done;
    results.push({ ...count, state: 'read', bytes, badLines, isWhole });
    spent += bytes;
    const added = await batch.add(done);
    if (!added.ok) return added;
    await yieldToEventLoop();
  }
  const kept = await batch.keep();
  return kept.ok ? { ok: true, results, added: batch.added() } : kept;
}

const NOTHING_READ = { bytes: 0, badLines: 0, isWhole: false };

interface Batch {
  /** All events that were new so far. */
  added(): number;
  add(read: FileRead): Promise<Outcome>;
  keep(): Promise<Outcome>;
}

function openBatch(keeper: HistoryKeeper): Batch {
  let [found, readings]: [IdentifiedEvents[], Reading[]] = [[], []];
  let [bytes, added] = [0, 0];
  const keep = async (): Promise<Outcome> => {
    if (readings.length === 0) return { ok: true };
    const kept = await keeper.import({ found, readings });
    if (kept.ok) added += kept.added;
    [found, readings, bytes] = [[], [], 0];
    return kept;
  };
  return {
    added: () => added,
    async add(read) {
      bytes += read.bytes;
      for (const events of read.found) found.push(events);
      readings.push(read.reading);
      return found.length >= BATCH_EVENTS || bytes >= BATCH_BYTES ? keep() : { ok: true };
    },
    keep,
  };
}

/** How much of a file was read. A file that is left is read the next time. */
interface Result extends Pick<FileRead, 'bytes' | 'badLines' | 'isWhole'> {
  readonly host: HostId;
  readonly path: string;
  readonly state: 'read' | 'unreadable' | 'left';
}

function sumUp(host: HostId, files: number, results: readonly Result[]): HostImport {
  const own = results.filter((result) => result.host === host);
  const unreadable = own.filter(({ state }) => state === 'unreadable');
  return {
    host,
    files,
    read: own.filter(({ state }) => state === 'read').length,
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    badLines: own.reduce((sum, { badLines }) => sum + badLines, 0),
    unreadable: unreadable.map(({ path }) => path),
    left: own.filter(({ isWhole }) => !isWhole).length - unreadable.length,
  };
}
