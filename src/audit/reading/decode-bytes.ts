import { isUtf8 } from 'node:buffer';

/** Decoded bytes: text, or the words found in binary data. */
export interface DecodedText {
  readonly text: string;
  readonly kind: 'text' | 'words';
}

/** Decodes text in its encoding, and extracts words from binary data. UTF-16 text is also searched for ASCII words. */
export function decodeBytes(bytes: Buffer): readonly DecodedText[] {
  const wide = findWideOrder(bytes);
  if (wide !== undefined)
    return [
      { text: new TextDecoder(wide).decode(bytes), kind: 'text' },
      { text: findNarrowWords(bytes).join('\n'), kind: 'words' },
    ];
  if (isMostlyText(bytes)) return [{ text: bytes.toString(), kind: 'text' }];
  return [{ text: [...findNarrowWords(bytes), ...findWideWords(bytes)].join('\n'), kind: 'words' }];
}

/** Text of two bytes for each character in UTF-8; other bytes as they are. */
export function narrowText(bytes: Buffer): Buffer {
  const wide = findWideOrder(bytes);
  return wide === undefined ? bytes : Buffer.from(new TextDecoder(wide).decode(bytes));
}

type WideOrder = 'utf-16le' | 'utf-16be';

/** UTF-16, recognised by its byte order mark or because nearly every second byte is NUL. */
function findWideOrder(bytes: Buffer): WideOrder | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.length < 4) return undefined;
  // Most files have no NUL.
  if (!sample.includes(0)) return undefined;
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros.map((count) => count / (sample.length / 2));
  if (odd > 0.8 && even < 0.1) return 'utf-16le';
  return even > 0.8 && odd < 0.1 ? 'utf-16be' : undefined;
}

const SAMPLE_BYTES = 4096;

const FEW_CONTROLS = 4;
const MOST_CONTROLS = 0.02;
const MOST_BROKEN = 0.1;

const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f]/g;

/** A stray NUL or a byte of another encoding does not make a text binary. */
function isMostlyText(bytes: Buffer): boolean {
  const controls = bytes.toString('latin1').match(CONTROLS)?.length ?? 0;
  if (controls > FEW_CONTROLS + bytes.length * MOST_CONTROLS) return false;
  if (isUtf8(bytes)) return true;
  let beyond = 0;
  for (const byte of bytes) if (byte >= 0x80) beyond += 1;
  return beyond < bytes.length * MOST_BROKEN || isNearlyUtf8(bytes);
}

function isNearlyUtf8(bytes: Buffer): boolean {
  const text = bytes.toString();
  let broken = 0;
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) broken += 1;
  return broken < bytes.length * MOST_CONTROLS;
}

/** Runs of printable characters. */
function findNarrowWords(bytes: Buffer): readonly string[] {
  return bytes.toString('latin1').match(/[\t\x20-\x7e]{6,10000}/g) ?? [];
}

/** Runs of printable characters with a NUL after each. */
function findWideWords(bytes: Buffer): readonly string[] {
  const runs = bytes.toString('latin1').match(/(?:[\t\x20-\x7e]\0){6,10000}/g) ?? [];
  return runs.map((run) => run.replaceAll('\0', ''));
}
