import type { FileStamp } from '../../model/folder.ts';
import { parseJson } from '../../model/json.ts';
import { openOwnFile, readPieces, unpackPieces, type OpenFile } from '../../platform/files/open-file.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { IdentifiedEvents, Reading } from '../../usage/usage-store.ts';
import type { LineHistory } from './host-history.ts';
import { textAt, valueAt, type Json } from './json-value.ts';
import { readLines } from './read-lines.ts';
import { Session, type SessionContext } from './session.ts';

/** A file of a host's history, and how far it was read before. */
export interface HistoryFile {
  readonly path: string;
  readonly stamp: FileStamp;
  readonly reading?: Reading | undefined;
}

/** Events of a part of a file, and how far it is read with them. */
export interface FilePart {
  readonly found: readonly IdentifiedEvents[];
  readonly reading: Reading;
  readonly bytes: number;
  /** Lines that were too long, or not valid JSON. */
  readonly badLines: number;
  /** Is the file read to its end? */
  readonly isWhole: boolean;
}

export interface TranscriptOptions extends Omit<SessionContext, 'emit' | 'changedAt'> {
  /** Asked again and again: stop here, after so many bytes of the file? */
  readonly isEnough: (bytes: number) => boolean;
}

/** So many events make a part, so that a long file takes no more memory than a short one. */
const PART_EVENTS = 500;
const MAX_UNPACKED_BYTES = 268_435_456;

/**
 * Reads a file from where the last reading ended, or from its beginning if it is another file now. A compressed file is
 * finished, and always read whole. The last part is undefined if the file, or the rest of it, cannot be read.
 */
export async function* readTranscript(
  history: LineHistory,
  file: HistoryFile,
  options: TranscriptOptions,
): AsyncGenerator<FilePart | undefined> {
  const opened = openOwnFile(file.path);
  if (opened === undefined) {
    yield undefined;
    return;
  }
  const isPacked = file.path.endsWith('.zst');
  const learns = options.toWords !== undefined;
  const before = isPacked ? undefined : findState(file, opened, learns);
  const start = before === undefined ? 0 : (file.reading?.offset ?? 0);
  let found: IdentifiedEvents[] = [];
  const emit = (events: IdentifiedEvents): unknown => found.push(events);
  const session = new Session({ ...options, emit, changedAt: Math.trunc(file.stamp.mtimeMs) }, before);
  if (before === undefined) history.open?.(file.path, session);
  const marks = learns ? [...history.marks, ...history.requestMarks] : history.marks;
  const takeLines = openLineTaker({ ...history, marks }, session, before === undefined && history.hasHead === true);
  let [offset, partStart, badLines] = [start, start, 0];
  const toPart = (isWhole: boolean): FilePart => {
    const { ino, mtimeMs, size } = file.stamp;
    const end = isPacked ? undefined : markEnd(opened, offset);
    const state = JSON.stringify({ end, learned: learns ? true : undefined, ...session.state });
    // A partly read file must not look unchanged next time.
    const reading = { path: file.path, inode: String(ino), mtimeMs, size: isWhole ? size : -1, offset, state };
    return { found, reading, bytes: offset - partStart, badLines, isWhole };
  };
  try {
    for await (const lines of readLines(isPacked ? unpackPieces(opened) : readPieces(opened, start))) {
      if (lines === undefined || (isPacked && offset > MAX_UNPACKED_BYTES)) {
        yield undefined;
        return;
      }
      badLines += takeLines(lines.text) + lines.tooLong;
      offset += lines.bytes;
      const isLast = !isPacked && options.isEnough(offset - start);
      if (!isLast && found.length < PART_EVENTS) continue;
      yield toPart(false);
      if (isLast) return;
      [found, partStart, badLines] = [[], offset, 0];
    }
    yield toPart(true);
  } finally {
    opened[Symbol.dispose]();
  }
}

/** Reads the lines that matter, and returns how many of them are not valid JSON. */
function openLineTaker(
  { marks, read }: Pick<LineHistory, 'marks' | 'read'>,
  session: Session,
  isHead: boolean,
): (text: Buffer) => number {
  let isFirst = isHead;
  const isWanted = (text: Buffer | string): boolean =>
    isFirst || marks.some((mark) => text.includes(mark)) || session.awaits(text);
  return (text) => {
    let badLines = 0;
    for (const line of isWanted(text) ? text.toString().split('\n').slice(0, -1) : []) {
      if (!isWanted(line)) continue;
      isFirst = false;
      const value = parseJson(line);
      if (value === undefined) badLines += 1;
      else read(value, session);
    }
    return badLines;
  };
}

/** The state of the last reading, if this is the same file, at most longer than then: programs also write a file anew under its old name. */
function findState({ reading, stamp }: HistoryFile, opened: OpenFile, learns: boolean): Json {
  if (reading === undefined || reading.inode !== String(stamp.ino) || opened.size < reading.offset) return undefined;
  const isSame = textAt(parseJson(reading.state), 'end') === markEnd(opened, reading.offset);
  return isSame && (!learns || hasLearned(reading)) ? parseJson(reading.state) : undefined;
}

/** Were the requests of a file read, too? If not, it is read again once they are learned. */
export function hasLearned(reading: Reading | undefined): boolean {
  return valueAt(parseJson(reading?.state ?? ''), 'learned') === true;
}

const END_BYTES = 128;

/** Identifies the bytes right before an offset. */
function markEnd(opened: OpenFile, offset: number): string {
  const length = Math.min(END_BYTES, offset);
  const bytes = opened.read(offset - length, length) ?? new Uint8Array();
  return `${length}:${sha256(bytes).toString('base64url').slice(0, 12)}`;
}
