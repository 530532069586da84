import { isAscii } from 'node:buffer';

import { once } from '../model/once.ts';
import { isHonest, MAY_BE_UNSEEN, UNSEEN } from '../model/unseen.ts';
import { countLines } from './frontmatter.ts';

export type InvisibleKind = 'control' | 'tag' | 'bidi' | 'selector' | 'blank' | 'zero-width';

/** A character that a reader cannot see but a model can. `offset` counts UTF-16 units, as JavaScript does. */
export interface InvisibleCharacter {
  readonly kind: InvisibleKind;
  readonly codePoint: string;
  readonly offset: number;
  readonly line: number;
}

const CANDIDATE = new RegExp(`[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f]|${MAY_BE_UNSEEN.source}`, 'g');
const invisible = once(() => new RegExp(`[${UNSEEN}]`, 'v'));

/**
 * The first `limit` characters that a reader cannot see and that do not belong to ordinary writing: emoji and the scripts
 * that need joiners keep theirs.
 */
export function findInvisible(text: string, limit = 5): readonly InvisibleCharacter[] {
  const found: InvisibleCharacter[] = [];
  for (const { 0: character, index: offset } of text.matchAll(CANDIDATE)) {
    if (found.length === limit) break;
    if (!invisible().test(character) || isHonest(text, offset)) continue;
    found.push({
      kind: kindOf(character),
      codePoint: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
      offset,
      line: countLines(text.slice(0, offset)) + 1,
    });
  }
  return found;
}

/**
 * Tells whether UTF-8 bytes may hold a character that `findInvisible` reports. "No" is certain. Searching for a few byte
 * sequences takes half the time of a pattern over the decoded text.
 */
export function mayHoldInvisible(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (CONTROL_BYTES.some((byte) => buffer.includes(byte))) return true;
  if (isAscii(bytes)) return false;
  return sequences().some(([first, own]) => buffer.includes(first) && own.some((one) => buffer.includes(one)));
}

const CONTROL_BYTES = [...Array(0x20).keys(), 0x7f].filter((code) => code !== 9 && code !== 10 && code !== 13);

/** Beginnings of invisible characters in UTF-8, as hexadecimal digits, by their first byte. */
const sequences = once((): readonly (readonly [number, readonly Buffer[]])[] =>
  Object.entries({
    c2: `${Array.from({ length: 0x20 }, (_, at) => (0x80 + at).toString(16)).join(' ')} ad`,
    cd: '8f',
    d8: '9c',
    e1: '859f 85a0 9eb4 9eb5 a08b a08c a08d a08e a08f',
    // Dashes, quotes and arrows begin with the same byte.
    e2: '808b 808c 808d 808e 808f 80a8 80a9 80aa 80ab 80ac 80ad 80ae 81 a080',
    e3: '85a4',
    // Full-width forms begin with the same byte.
    ef: 'b7 b8 bbbf bea0 bf',
    f0: '9390 9391 96bfa4 9bb2 9d85 9fbf afbf bfbf',
    f1: '8fbf 9fbf afbf bfbf',
    f2: '8fbf 9fbf afbf bfbf',
    f3: 'a0 a1 a2 a3 a4 8fbf 9fbf afbf bfbf',
    f4: '8fbf',
  }).map(([first, rest]) => [parseInt(first, 16), rest.split(' ').map((tail) => Buffer.from(first + tail, 'hex'))]),
);

function kindOf(character: string): InvisibleKind {
  if (character <= '\u009f') return 'control';
  if (/[\u{E0000}-\u{E007F}]/u.test(character)) return 'tag';
  if (/\p{Variation_Selector}/u.test(character)) return 'selector';
  if (/\p{Bidi_Control}|[\u206A-\u206F]/u.test(character)) return 'bidi';
  const isBlank = /[\u115F\u1160\u2800\u3164\uFFA0\u{13441}\u{13442}\u{16FE4}\u{1D159}]/u.test(character);
  return isBlank ? 'blank' : 'zero-width';
}
