import type { OpenFile } from '../../platform/files/open-file.ts';
import type { FindAny } from './find-any.ts';

/** Chooses and takes lines. */
export interface LineTaker {
  /** Finds the next byte of interest; the line around it is taken. */
  readonly find: FindAny;
  /** Texts that make later lines interesting, too, such as the id of a call that waits for its result. */
  awaited(): readonly string[];
  take(line: string): void;
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
  let at = start;
  while (at < end) {
    const hit = findNext(buffer, { start: at, end }, taker);
    if (hit === -1) return;
    const first = hit === at ? at : Math.max(at, buffer.lastIndexOf(NEWLINE, hit - 1) + 1);
    const stop = buffer.indexOf(NEWLINE, hit);
    taker.take(buffer.toString('utf8', first, stop));
    at = stop + 1;
  }
}

function findNext(
  buffer: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  taker: LineTaker,
): number {
  const found = taker.find(buffer, start, end);
  let nearest = found === -1 ? end : found;
  for (const text of taker.awaited()) {
    const at = buffer.subarray(start, nearest).indexOf(text);
    if (at !== -1) nearest = start + at;
  }
  return nearest === end ? -1 : nearest;
}
