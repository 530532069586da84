import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

import type { NetworkEvent } from '../../platform/sandbox/recorder.ts';
import { findBlobs } from '../reading/find-blobs.ts';

/** A mark that left, and how it was written. */
export interface LeftMark {
  readonly mark: string;
  /** `plain`, `base64`, `base64 in base64`, … */
  readonly encoding: string;
}

/** Finds marks in what was sent, also if it was encoded or packed, up to three times. */
export function findMarks(bytes: Buffer, marks: readonly string[]): readonly LeftMark[] {
  const found = new Map<string, string>();
  read(bytes, [], { marks, found });
  return [...found].map(([mark, encoding]) => ({ mark, encoding }));
}

interface Search {
  readonly marks: readonly string[];
  readonly found: Map<string, string>;
}

const DEEPEST = 3;
const MAX_BYTES = 1024 * 1024;

function read(bytes: Buffer, layers: readonly string[], search: Search): void {
  const text = bytes.toString('latin1');
  const encoding = layers.length === 0 ? 'plain' : layers.toReversed().join(' in ');
  for (const [name, written] of [['', text] as const, ['reversed', Array.from(text).toReversed().join('')] as const])
    for (const mark of search.marks)
      if (written.includes(mark) && !search.found.has(mark))
        search.found.set(mark, name === '' ? encoding : [name, ...layers].join(' in '));
  if (layers.length >= DEEPEST) return;
  const decoded = /%[0-9a-f]{2}|\+/i.test(text)
    ? text.replaceAll('+', ' ').replaceAll(/%([0-9a-f]{2})/gi, toCharacter)
    : text;
  if (decoded !== text) read(Buffer.from(decoded, 'latin1'), [...layers, 'URL encoding'], search);
  for (const { encoding: name, bytes: inner } of findBlobs(text)) read(inner, [...layers, name], search);
  for (const whole of [text, text.slice(1 + text.indexOf('=')), text.slice(1 + text.indexOf(':'))]) {
    const inner = Buffer.from(whole, 'base64');
    if (/^[\w+/=\s-]{16,}$/.test(whole)) read(inner, [...layers, 'base64'], search);
  }
  const unpacked = unpack(bytes);
  if (unpacked !== undefined) read(unpacked, [...layers, 'compression'], search);
}

function toCharacter(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function unpack(bytes: Buffer): Buffer | undefined {
  const options = { maxOutputLength: MAX_BYTES };
  const tries = [
    { isIt: bytes[0] === 0x1f && bytes[1] === 0x8b, run: () => gunzipSync(bytes, options) },
    { isIt: bytes[0] === 0x78, run: () => inflateSync(bytes, options) },
    { isIt: bytes.toString('latin1', 0, 4) === 'PK\x03\x04', run: () => inflateRawSync(zipData(bytes), options) },
  ];
  const fitting = tries.find(({ isIt }) => isIt);
  try {
    return fitting?.run();
  } catch (error) {
    // Cut or damaged data is not unpacked.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** The data of the first entry of a zip archive. */
function zipData(bytes: Buffer): Buffer {
  return bytes.subarray(30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28));
}

/** The parts of an event in which something can leave, and where it goes. */
export interface SentParts {
  readonly to: string;
  readonly parts: readonly Buffer[];
}

export function describeEvent(event: NetworkEvent): SentParts {
  switch (event.kind) {
    case 'name':
      return { to: event.name, parts: [Buffer.from(event.name)] };
    case 'request': {
      const to = `${event.isSecure ? 'https' : 'http'}://${event.host}${event.path.slice(0, 80)}`;
      const body = Buffer.from(event.body, 'base64');
      return { to, parts: [Buffer.from(event.path), Buffer.from(event.headers), body] };
    }
    case 'connection':
      return { to: `${event.host}:${event.port}`, parts: [Buffer.from(event.bytes, 'base64')] };
    case 'mail':
    default:
      return { to: /^To: ?([^\r\n]{1,80})/im.exec(event.text)?.[1] ?? 'mail', parts: [Buffer.from(event.text)] };
  }
}
