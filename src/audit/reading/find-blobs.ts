import { narrowText } from './decode-bytes.ts';
import { sniffFile } from './sniff-file.ts';

/** Encoded data in a text. */
export interface Blob {
  readonly offset: number;
  readonly end: number;
  readonly encoding: 'base64' | 'base32' | 'hex';
  readonly bytes: Buffer;
  readonly isText: boolean;
}

const BASE64: Alphabet = { characters: tabulate(/[A-Za-z0-9+/_\n-]/), shortest: 16 };
const BASE32: Alphabet = { characters: tabulate(/[A-Z2-7\n]/), shortest: 20 };
const HEX: Alphabet = { characters: tabulate(/[0-9a-f\n]/i), shortest: 24 };
const SHORTEST_LINE = 40;

/** Finds encoded text, programs and archives in a folded text; skips random data. */
export function findBlobs(text: string): readonly Blob[] {
  const blobs: Blob[] = [];
  for (const { run, index } of findRuns(text, BASE64)) {
    for (const [part, at] of splitRun(run))
      keep(blobs, {
        offset: index + at,
        end: index + run.length,
        encoding: 'base64',
        bytes: Buffer.from(part, 'base64'),
      });
    // The others use characters of base64.
    for (const { run: digits, index: at } of findRuns(run, HEX))
      keep(blobs, { ...between(index + at, digits), encoding: 'hex', bytes: readHex(digits) });
    for (const { run: letters, index: at } of findRuns(run, BASE32))
      keep(blobs, { ...between(index + at, letters), encoding: 'base32', bytes: readBase32(letters) });
  }
  return blobs;
}

function readHex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll('\n', ''), 'hex');
}

function readBase32(letters: string): Buffer {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const letter of letters) {
    if (letter === '\n') continue;
    bits = ((bits << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter)) & 0xfff;
    count += 5;
    if (count >= 8) bytes.push((bits >> (count -= 8)) & 0xff);
  }
  return Buffer.from(bytes);
}

function between(offset: number, { length }: string): Pick<Blob, 'offset' | 'end'> {
  return { offset, end: offset + length };
}

interface Alphabet {
  /** Which of the characters of ASCII belong to it. */
  readonly characters: readonly boolean[];
  readonly shortest: number;
}

function tabulate(pattern: RegExp): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)));
}

interface Run {
  readonly run: string;
  readonly index: number;
}

/** Finds runs of an alphabet. A run covers one of the places that are the shortest run apart: only those are looked at. */
function findRuns(text: string, { characters, shortest }: Alphabet): readonly Run[] {
  const runs: Run[] = [];
  const isInside = (at: number): boolean => characters[text.charCodeAt(at)] === true;
  for (let probe = shortest - 1; probe < text.length; probe += shortest) {
    if (!isInside(probe)) continue;
    let [index, end] = [probe, probe + 1];
    while (index > 0 && isInside(index - 1)) index -= 1;
    while (end < text.length && isInside(end)) end += 1;
    if (end - index >= shortest) runs.push({ run: text.slice(index, end), index });
    probe = Math.max(probe, end - 1);
  }
  return runs;
}

/** The whole run, from each place where a byte may begin, since a word may precede the data, and each long line; with offsets. */
function splitRun(run: string): Iterable<readonly [part: string, at: number]> {
  const skipping = (whole: string, at: number): [string, number][] =>
    [0, 1, 2, 3].map((skipped) => [whole.slice(skipped), at]);
  if (!run.includes('\n')) return skipping(run, 0);
  const lines = new Map<string, number>();
  let at = 0;
  for (const part of run.split('\n')) {
    if (part.length >= SHORTEST_LINE) lines.set(part, at);
    at += part.length + 1;
  }
  const [start = run.search(/[^\n]/)] = lines.values();
  const after = run.slice(start).replaceAll('\n', '');
  return new Map([...skipping(run.replaceAll('\n', ''), start), [after, start], ...lines]);
}

function keep(blobs: Blob[], blob: Omit<Blob, 'isText'>): void {
  const { length } = blob.bytes;
  if (length < SHORTEST_TEXT) return;
  const bytes = narrowText(blob.bytes);
  if (isReadable(bytes)) blobs.push({ ...blob, bytes, isText: true });
  else if (length >= SHORTEST_FILE && RUNS.has(sniffFile(blob.bytes)?.kind ?? ''))
    blobs.push({ ...blob, isText: false });
}

const SHORTEST_TEXT = 12;
const SHORTEST_FILE = 24;
const RUNS: ReadonlySet<string> = new Set(['program', 'bytecode', 'archive', 'packed', 'pickle']);

function isReadable(bytes: Buffer): boolean {
  let most = bytes.length * 0.05;
  for (const byte of bytes)
    if ((byte < 32 || byte > 126) && byte !== 10 && byte !== 13 && byte !== 9 && (most -= 1) < 0) return false;
  return true;
}
