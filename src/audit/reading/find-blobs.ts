import { sniffFile } from './sniff-file.ts';

/** Encoded data in a text. */
export interface Blob {
  readonly offset: number;
  readonly end: number;
  readonly encoding: 'base64' | 'hex';
  readonly bytes: Buffer;
  readonly isText: boolean;
}

const BASE64: Alphabet = { characters: tabulate(/[A-Za-z0-9+/_\n-]/), shortest: 40 };
const HEX: Alphabet = { characters: tabulate(/[0-9a-f]/i), shortest: 64 };
const SHORTEST = 24;
const SHORTEST_LINE = 40;

/** Finds encoded text, programs and archives in a folded text; skips random data. */
export function findBlobs(text: string): readonly Blob[] {
  const blobs: Blob[] = [];
  const runs = findRuns(text, BASE64);
  for (const { run, index } of runs)
    for (const { part, at } of splitRun(run))
      keep(blobs, { ...between(index + at, part), encoding: 'base64', bytes: Buffer.from(part, 'base64') });
  // The digits are characters of base64, too.
  for (const { run: outer, index: start } of runs)
    for (const { run, index } of findRuns(outer, HEX))
      keep(blobs, { ...between(start + index, run), encoding: 'hex', bytes: Buffer.from(run, 'hex') });
  return blobs;
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

/** The whole run, in case it was wrapped, and each long line, in case a word precedes it. */
function splitRun(run: string): readonly { readonly part: string; readonly at: number }[] {
  if (!run.includes('\n')) return [{ part: run, at: 0 }];
  const lines: { part: string; at: number }[] = [];
  let at = 0;
  for (const part of run.split('\n')) {
    if (part.length >= SHORTEST_LINE) lines.push({ part, at });
    at += part.length + 1;
  }
  const [first] = lines;
  return first === undefined || lines.length === 1 ? lines : [{ part: run.slice(first.at), at: first.at }, ...lines];
}

function keep(blobs: Blob[], blob: Omit<Blob, 'isText'>): void {
  if (blob.bytes.length < SHORTEST) return;
  if (isReadable(blob.bytes)) blobs.push({ ...blob, isText: true });
  else if (RUNS.has(sniffFile(blob.bytes)?.kind ?? '')) blobs.push({ ...blob, isText: false });
}

const RUNS: ReadonlySet<string> = new Set(['program', 'bytecode', 'archive', 'packed', 'pickle']);

function isReadable(bytes: Buffer): boolean {
  let readable = 0;
  for (const byte of bytes) if ((byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9) readable += 1;
  return readable >= bytes.length * 0.95;
}
