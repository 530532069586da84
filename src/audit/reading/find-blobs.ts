import { sniffFile } from './sniff-file.ts';

/** Encoded data in a text. */
export interface Blob {
  readonly offset: number;
  readonly end: number;
  readonly encoding: 'base64' | 'hex';
  readonly bytes: Buffer;
  readonly isText: boolean;
}

const BASE64: Alphabet = { start: /[A-Za-z0-9+/_\n-]{40}/g, end: /[^A-Za-z0-9+/_\n-]/g };
const HEX: Alphabet = { start: /[0-9a-f]{64}/gi, end: /[^0-9a-f]/gi };
const SHORTEST = 24;
const SHORTEST_LINE = 40;

/** Finds encoded text, programs and archives in a folded text; skips random data. */
export function findBlobs(text: string): readonly Blob[] {
  const blobs: Blob[] = [];
  for (const { run, index } of findRuns(text, BASE64))
    for (const { part, at } of splitRun(run))
      keep(blobs, { ...between(index + at, part), encoding: 'base64', bytes: Buffer.from(part, 'base64') });
  for (const { run, index } of findRuns(text, HEX))
    keep(blobs, { ...between(index, run), encoding: 'hex', bytes: Buffer.from(run, 'hex') });
  return blobs;
}

function between(offset: number, { length }: string): Pick<Blob, 'offset' | 'end'> {
  return { offset, end: offset + length };
}

interface Alphabet {
  /** The shortest run. */
  readonly start: RegExp;
  readonly end: RegExp;
}

/** Finds runs. A single pattern that matches megabytes would exhaust the stack. */
function* findRuns(
  text: string,
  { start, end }: Alphabet,
): Generator<{ readonly run: string; readonly index: number }> {
  const [starts, ends] = [new RegExp(start), new RegExp(end)];
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    ends.lastIndex = starts.lastIndex;
    const stop = ends.exec(text)?.index ?? text.length;
    yield { run: text.slice(match.index, stop), index: match.index };
    starts.lastIndex = stop;
  }
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
