import type { OpenFile } from '../../platform/files/open-file.ts';
import type { FindAny } from './find-any.ts';

/** Chooses and takes lines. */
export interface LineTaker {
  /** Finds the next byte of interest; the line around it is taken. */
  readonly find: FindAny;
  /** Texts that make later lines interesting, too, such as the id of a call that waits for its result. */
  awaited(): readonly string[];
  /** Is a line with something of interest at `hit` to be taken? If not, the rest of it is searched. */
  isWanted(bytes: Buffer, line: FoundLine): boolean;
  take(line: string): void;
}

/** Where a line begins and ends, and where something of interest is in it. */
export interface FoundLine {
  readonly first: number;
  readonly stop: number;
  readonly hit: number;
}

export interface LineScan {
  /** Where the next scan begins: after the last complete line. */
  readonly offset: number;
  /** How many bytes were read. */
  readonly bytes: number;
  /** Lines that were longer than `MAX_LINE_BYTES`, and were skipped. */
  readonly tooLong: number;
  /** False if it stopped before the end. */
  readonly isWhole: boolean;
}

export interface LineScanOptions {
  readonly taker: LineTaker;
  /** Asked after each piece: stop here? */
  readonly isEnough: (bytes: number) => boolean;
  /** Memory to use again for each file. */
  readonly memory: Buffer;
}

/** Fits the processor's cache; larger pieces are read and searched more slowly. */
export const PIECE_BYTES = 262_144;
/** Transcripts hold whole files and pictures in one line; a longer one is nothing we look for. */
const MAX_LINE_BYTES = 33_554_432;

/** Reads the complete lines of a file from `from` on. A line without an end yet is left for the next time. */
export function scanLines(file: OpenFile, from: number, { taker, isEnough, memory }: LineScanOptions): LineScan {
  let buffer = memory;
  let position = from;
  let offset = from;
  let kept = 0;
  let tooLong = 0;
  let isSkipping = false;
  for (;;) {
    const count = file.readInto(buffer.subarray(kept), position);
    if (count === undefined || count === 0) return { offset, bytes: position - from, tooLong, isWhole: count === 0 };
    position += count;
    const end = kept + count;
    const last = buffer.subarray(0, end).lastIndexOf(NEWLINE);
    if (last === -1 && !isSkipping && end < MAX_LINE_BYTES) {
      kept = end;
      if (kept === buffer.length) buffer = enlarge(buffer);
      continue;
    }
    if (last === -1) {
      // The rest of the line is skipped, next time as well.
      tooLong += isSkipping ? 0 : 1;
      isSkipping = true;
      kept = 0;
      offset = position;
    } else {
      takeLines(buffer, { start: isSkipping ? buffer.indexOf(NEWLINE) + 1 : 0, end: last + 1 }, taker);
      isSkipping = false;
      offset = position - (end - last - 1);
      buffer.copyWithin(0, last + 1, end);
      kept = end - last - 1;
    }
    if (isEnough(position - from)) return { offset, bytes: position - from, tooLong, isWhole: false };
  }
}

const NEWLINE = 10;

function enlarge(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(2 * buffer.length, MAX_LINE_BYTES));
  buffer.copy(larger);
  return larger;
}

function takeLines(
  buffer: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  taker: LineTaker,
): void {
  let [at, from] = [start, start];
  // The next needle, which stays the next one while awaited texts before it are found.
  let needle = -1;
  while (from < end) {
    if (needle < from) needle = orEnd(taker.find(buffer, from, end), end);
    const hit = findAwaited(buffer, { start: from, end: needle }, taker.awaited());
    if (hit === end) return;
    const first = hit === at ? at : Math.max(at, buffer.lastIndexOf(NEWLINE, hit - 1) + 1);
    const stop = buffer.indexOf(NEWLINE, hit);
    const isWanted = taker.isWanted(buffer, { first, stop, hit });
    if (isWanted) taker.take(buffer.toString('utf8', first, stop));
    at = isWanted ? stop + 1 : first;
    from = isWanted ? at : hit + 1;
  }
}

/** The first place of any of these texts; `end` if there is none. */
function findAwaited(
  buffer: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  texts: readonly string[],
): number {
  return texts.reduce(
    (nearest, text) => orEnd(buffer.subarray(start, nearest).indexOf(text), nearest - start) + start,
    end,
  );
}

function orEnd(place: number, end: number): number {
  return place === -1 ? end : place;
}
