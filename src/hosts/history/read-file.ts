import { parseJson } from '../../model/json.ts';
import type { FileStamp } from '../../model/skill.ts';
import { openOwnFile, type OpenFile } from '../../platform/files/open-file.ts';
import { openZstdFile } from '../../platform/files/zstd-file.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { IdentifiedEvents, Reading } from '../../usage/usage-store.ts';
import type { FindAny } from './find-any.ts';
import type { LineHistory, Needle } from './host-history.ts';
import { itemsAt, textAt, valueAt } from './json-value.ts';
import type { NeedleSearch } from './needle-search.ts';
import { scanLines, type FoundLine, type LineTaker, type LineScanOptions } from './scan-lines.ts';
import { Session, type AskedRequest, type SessionContext } from './session.ts';

/** A file that is to be read, and how far that was done before. */
export interface FileToRead {
  readonly path: string;
  readonly stamp: FileStamp;
  readonly reading: Reading | undefined;
}

export interface FileRead {
  readonly found: readonly IdentifiedEvents[];
  readonly reading: Reading;
  readonly bytes: number;
  /** Lines that were too long, or not valid JSON. */
  readonly badLines: number;
  /** False if it stopped early. */
  readonly isWhole: boolean;
}

export interface ReadTools
  extends Pick<LineScanOptions, 'memory' | 'isEnough'>, Omit<SessionContext, 'emit' | 'changedAt'> {
  /** Finds the needles of a history. */
  readonly searchOf: (history: LineHistory) => NeedleSearch;
}

/** Reads a file from where the last reading ended, or from its beginning if it is another file now. Undefined if it cannot be read. */
export function readFile(history: LineHistory, file: FileToRead, tools: ReadTools): FileRead | undefined {
  using opened = file.path.endsWith('.zst') ? openZstdFile(file.path, MAX_UNPACKED_BYTES) : openOwnFile(file.path);
  if (opened === undefined) return undefined;
  const learns = tools.toWords !== undefined;
  const isKnown = isSameFile(file, opened) && (!learns || hasLearned(file.reading));
  const before = isKnown ? file.reading : undefined;
  const found: IdentifiedEvents[] = [];
  const emit = (events: IdentifiedEvents): unknown => found.push(events);
  const context = { ...tools, emit, changedAt: Math.trunc(file.stamp.mtimeMs) };
  const session = new Session(context, sessionIn(before?.state), learns ? askedIn(before?.state) : undefined);
  if (before === undefined) history.open?.(file.path, session);
  let badLines = 0;
  const take = (line: string): void => {
    const value = parseJson(line);
    if (value === undefined) badLines += 1;
    else history.read(value, session);
  };
  const isHead = before === undefined && history.hasHead === true;
  const taker = new NeedleTaker(tools.searchOf(history), { session, take, isHead });
  const scan = scanLines(opened, before?.offset ?? 0, { ...tools, taker });
  const { path, stamp } = file;
  const state = JSON.stringify({
    tail: tailOf(opened, scan.offset),
    session: session.toState(),
    ...(learns ? { learned: true, asked: session.asked } : {}),
  });
  const reading = {
    path,
    inode: String(stamp.ino),
    size: stamp.size,
    mtimeMs: stamp.mtimeMs,
    offset: scan.offset,
    state,
  };
  // A file that was not read to its end must not look unchanged next time.
  const kept = scan.isWhole ? reading : { ...reading, size: -1 };
  return { found, reading: kept, bytes: scan.bytes, badLines: badLines + scan.tooLong, isWhole: scan.isWhole };
}

const MAX_UNPACKED_BYTES = 268_435_456;

/** The same file, at most longer than before? Programs also write a file anew under its old name. */
function isSameFile({ reading, stamp }: FileToRead, opened: OpenFile): boolean {
  if (reading === undefined || reading.inode !== String(stamp.ino) || opened.size < reading.offset) return false;
  return textAt(parseJson(reading.state), 'tail') === tailOf(opened, reading.offset);
}

/** Were the requests of a file read, too? If not, it is read again once they are learned. */
export function hasLearned(reading: Reading | undefined): boolean {
  return valueAt(parseJson(reading?.state ?? ''), 'learned') === true;
}

/** The needles of a history, with those of requests if they are learned. */
export function needlesOf({ needles, requests }: LineHistory, learns: boolean): readonly Needle[] {
  return learns ? [...needles, ...requests] : needles;
}

function askedIn(state: string | undefined): AskedRequest | undefined {
  const asked = valueAt(parseJson(state ?? ''), 'asked');
  if (asked === undefined) return undefined;
  return {
    words: itemsAt(asked, 'words').filter((word) => typeof word === 'number'),
    skills: itemsAt(asked, 'skills').filter((name) => typeof name === 'string'),
  };
}

function sessionIn(state: string | undefined): string {
  return textAt(parseJson(state ?? ''), 'session') ?? '';
}

const TAIL_BYTES = 128;

/** Identifies what is right before a byte. */
function tailOf(opened: OpenFile, offset: number): string {
  const length = Math.min(TAIL_BYTES, offset);
  const bytes = opened.read(offset - length, length) ?? new Uint8Array();
  return `${length}:${sha256(bytes).toString('base64url').slice(0, 12)}`;
}

interface Taking {
  readonly session: Session;
  readonly take: (line: string) => void;
  /** Is the first line taken, whatever it holds? */
  readonly isHead: boolean;
}

const findAnything: FindAny = (_, from) => from;

/** A class, since all of its objects then have one shape: the loop over lines stays compiled from file to file. */
class NeedleTaker implements LineTaker {
  readonly #search: NeedleSearch;
  readonly #taking: Taking;
  #isFirst: boolean;

  constructor(search: NeedleSearch, taking: Taking) {
    this.#search = search;
    this.#taking = taking;
    this.#isFirst = taking.isHead;
  }

  get find(): FindAny {
    return this.#isFirst ? findAnything : this.#search.find;
  }

  awaited(): readonly string[] {
    return this.#taking.session.awaited;
  }

  isWanted(bytes: Buffer, line: FoundLine): boolean {
    return this.#isFirst || this.#search.isWanted(bytes, line);
  }

  take(line: string): void {
    this.#taking.take(line);
    this.#isFirst = false;
  }
}
