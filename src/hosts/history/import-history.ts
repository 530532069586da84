import { isAbsolute } from 'node:path';

import type { HostId } from '../../model/agents.ts';
import type { FileStamp } from '../../model/folder.ts';
import type { Outcome } from '../../model/outcome.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import { projectDirectories } from '../../platform/project.ts';
import type { ImportBatch, KnownFile, KnownFiles, Reading } from '../../usage/usage-store.ts';
import type { KnownHost, HostPlace } from '../host.ts';
import { listHistory } from './list-history.ts';
import { readDatabase } from './read-database.ts';
import { readTranscript, type FilePart, type HistoryFile, type TranscriptOptions } from './read-transcript.ts';

/** Keeps what is found; the history of use does. */
export interface HistoryKeeper {
  knownFiles(): Promise<Outcome<{ readonly files: KnownFiles | undefined }>>;
  readings(paths: readonly string[]): Promise<Outcome<{ readonly readings: readonly Reading[] }>>;
  import(batch: ImportBatch): Promise<Outcome<{ readonly added: number }>>;
}

/** Read limit; the newest files come first, and the next import continues. */
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
  /** Files that could not be read. */
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
 * Imports agents' histories from where the last import ended. Events and the read position are saved together, so an
 * import can be killed or repeated. Undefined if usage history is off.
 */
export async function importHistory(
  hosts: readonly KnownHost[],
  { place, keeper, clock, bytes = Infinity, ms = Infinity, isAll = false, ...given }: ImportOptions,
): Promise<Outcome<{ readonly imported: HistoryImport | undefined }>> {
  const known = await keeper.knownFiles();
  if (!known.ok) return known;
  if (known.files === undefined) return { ok: true, imported: undefined };
  const end = clock() + ms;
  const isLate = (): boolean => clock() >= end;
  const files = hosts.flatMap((host) => listHistory(host, place, isLate).map((file) => ({ host, ...file })));
  // Deleted files are known only if everything was listed.
  const gone = isAll && !isLate() ? findGone(known.files, files) : [];
  const learns = given.toWords !== undefined;
  const changed = files.filter(({ path, stamp }) => !isKnown(stamp, known.files?.get(path), learns));
  const results: FileResult[] = [];
  let spent = 0;
  const isEnough = (more: number): boolean => spent + more >= bytes || isLate();
  const options = { ...given, keeper, isEnough, projectOf: openProjects() };
  for (const file of changed.sort((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs)) {
    // The first one is read in any case, so that each import gets on.
    const isLeft = results.length > 0 && isEnough(0);
    const done = isLeft ? LEFT : await importFile(file, known.files.has(file.path), options);
    if (!done.ok) return done;
    results.push({ ...done, file });
    spent += done.bytes;
  }
  const forgotten = gone.length === 0 ? NOTHING_ADDED : await keeper.import({ found: [], readings: [], gone });
  if (!forgotten.ok) return forgotten;
  const counts = hosts.map(({ id }) => sumUp(id, files, results));
  return { ok: true, imported: { hosts: counts, added: sumOf(results, 'added') } };
}

const NOTHING_ADDED = { ok: true, added: 0 } as const;

interface HostFile extends HistoryFile {
  readonly host: KnownHost;
}

function findGone(known: KnownFiles, files: readonly HostFile[]): readonly string[] {
  const present = new Set(files.map(({ path }) => path));
  return [...known.keys()].filter((path) => !present.has(path));
}

/** Is a file as it was when it was read? */
function isKnown({ size, mtimeMs, ino }: FileStamp, known: KnownFile | undefined, learns: boolean): boolean {
  if (known === undefined || (learns && !known.isLearned)) return false;
  return known.size === size && known.mtimeMs === mtimeMs && known.inode === String(ino);
}

/** Finds the project of a working directory, and remembers it: many sessions take place in one directory. */
function openProjects(): (cwd: string) => string {
  const projects = new Map<string, string>();
  return (cwd) => {
    const project = projects.get(cwd) ?? (isAbsolute(cwd) ? (projectDirectories(cwd).at(-1) ?? cwd) : cwd);
    projects.set(cwd, project);
    return project;
  };
}

interface FileCount extends Pick<FilePart, 'bytes' | 'badLines'> {
  readonly added: number;
  /** `left`: for the next time; `begun`: in part. */
  readonly state: 'read' | 'begun' | 'left' | 'unreadable';
}

interface FileResult extends FileCount {
  readonly file: HostFile;
}

const LEFT = { ok: true, added: 0, bytes: 0, badLines: 0, state: 'left' } as const;

/** Reads a file and keeps each part of it at once: a killed import loses no more than that. */
async function importFile(
  file: HostFile,
  wasRead: boolean,
  { keeper, ...given }: Omit<TranscriptOptions, 'host'> & Pick<ImportOptions, 'keeper'>,
): Promise<Outcome<FileCount>> {
  const before = wasRead ? await keeper.readings([file.path]) : undefined;
  if (before?.ok === false) return before;
  const { id, history } = file.host;
  const known = { ...file, reading: before?.readings[0] };
  const options = { ...given, host: id };
  const parts =
    history.kind === 'lines' ? readTranscript(history, known, options) : [readDatabase(history, known, options)];
  let [added, bytes, badLines] = [0, 0, 0];
  let state: FileCount['state'] = 'unreadable';
  for await (const part of parts) {
    state = part === undefined ? 'unreadable' : part.isWhole ? 'read' : 'begun';
    if (part === undefined) break;
    const kept = await keeper.import({ found: part.found, readings: [part.reading] });
    if (!kept.ok) return kept;
    [added, bytes, badLines] = [added + kept.added, bytes + part.bytes, badLines + part.badLines];
    await yieldToEventLoop();
  }
  return { ok: true, added, bytes, badLines, state };
}

function sumUp(host: HostId, files: readonly HostFile[], results: readonly FileResult[]): HostImport {
  const own = results.filter(({ file }) => file.host.id === host);
  const countOf = (...states: readonly FileCount['state'][]): number =>
    own.filter(({ state }) => states.includes(state)).length;
  return {
    host,
    files: files.filter((file) => file.host.id === host).length,
    read: countOf('read', 'begun'),
    bytes: sumOf(own, 'bytes'),
    badLines: sumOf(own, 'badLines'),
    unreadable: own.filter(({ state }) => state === 'unreadable').map(({ file }) => file.path),
    left: countOf('begun', 'left'),
  };
}

function sumOf(counts: readonly FileCount[], key: 'added' | 'bytes' | 'badLines'): number {
  return counts.reduce((sum, count) => sum + count[key], 0);
}
