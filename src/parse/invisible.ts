import { isAscii } from 'node:buffer';

import { countLines } from './frontmatter.ts';

export type InvisibleKind = 'control' | 'tag' | 'bidi' | 'zero-width';

/** A character that a reader cannot see but a model can. `offset` counts UTF-16 units, as JavaScript does. */
export interface InvisibleCharacter {
  readonly kind: InvisibleKind;
  readonly codePoint: string;
  readonly offset: number;
  readonly line: number;
}

/** Flags of subdivisions are the only legitimate use of tag characters: a black flag, a short code, an end mark. */
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}/uy;
const BEYOND_LATIN = /[\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;
/** Harmful control characters. Searching for each is far cheaper than for a class of them. */
const CONTROLS = ['\0', '\x07', '\x08', '\x0b', '\x0c', '\x1b', '\x7f', '\x85', '\x9b'];
const INVISIBLE = new RegExp(`${BEYOND_LATIN.source}|[${CONTROLS.join('')}]`, 'gu');
const TAG = /[\u{E0000}-\u{E007F}]/u;
const ZERO_WIDTH = /[\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/;
/** Joiners belong to emoji sequences and to the spelling of these scripts. */
const JOINS_AFTER =
  // oxlint-disable-next-line no-misleading-character-class -- single modifiers are meant
  /[\p{Extended_Pictographic}\uFE0F\u{1F3FB}-\u{1F3FF}\p{sc=Arab}\p{sc=Syrc}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Mong}]$/u;

/** The first `limit` hidden characters: controls, tags, text direction, and zero width outside emoji and scripts that need it. */
export function findInvisible(text: string, limit = 5): readonly InvisibleCharacter[] {
  if (!BEYOND_LATIN.test(text) && !CONTROLS.some((control) => text.includes(control))) return [];
  const found: InvisibleCharacter[] = [];
  for (const match of text.matchAll(INVISIBLE)) {
    if (found.length === limit) break;
    if (isHonest(text, match.index)) continue;
    found.push({
      kind: kindOf(match[0]),
      codePoint: `U+${(match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
      offset: match.index,
      line: countLines(text.slice(0, match.index)) + 1,
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
  if (SEQUENCES.some((sequence) => buffer.includes(sequence))) return true;
  return buffer.includes(FIRST_OF_PUNCTUATION) && PUNCTUATION.some((sequence) => buffer.includes(sequence));
}

const CONTROL_BYTES = CONTROLS.map((control) => control.charCodeAt(0)).filter((code) => code < 0x80);
/** One sequence covers all tags. */
const SEQUENCES = ['\x85', '\x9b', '\u061c', '\u180e', '\ufeff'].map((text) => Buffer.from(text));
SEQUENCES.push(Buffer.from('\u{E0000}').subarray(0, 2));
/** U+2000 to U+206F also holds dashes and quotes, so each character is searched for. One sequence covers U+206x. */
const FIRST_OF_PUNCTUATION = 0xe2;
const PUNCTUATION = Array.from('\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e', (text) =>
  Buffer.from(text),
);
PUNCTUATION.push(Buffer.from('\u2060').subarray(0, 2));

function kindOf(character: string): InvisibleKind {
  if (character <= '\u009f') return 'control';
  if (TAG.test(character)) return 'tag';
  return ZERO_WIDTH.test(character) ? 'zero-width' : 'bidi';
}

function isHonest(text: string, offset: number): boolean {
  if (text[offset] === '\u200C' || text[offset] === '\u200D')
    return JOINS_AFTER.test(text.slice(Math.max(0, offset - 2), offset));
  if (!TAG.test(text.slice(offset, offset + 2))) return false;
  const flag = text.lastIndexOf('\u{1F3F4}', offset);
  if (flag === -1 || offset - flag > 2 * 8) return false;
  FLAG.lastIndex = flag;
  const match = FLAG.exec(text);
  return match !== null && offset < flag + match[0].length;
}
