/** A text with its escapes written out, as an interpreter, a browser or a model reads it. */
export interface UnescapedText {
  readonly text: string;
  /** Escapes are nested too deep, so that some are left. */
  readonly isCut: boolean;
}

/** How often a text may be encoded. */
export const DEEPEST = 4;

/** Writes out escapes of printable ASCII, lists of its bytes, and strings that are joined. Line breaks stay. */
export function unescapeText(escaped: string): UnescapedText {
  let text = escaped;
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    const plain = writeOut(text);
    if (plain === text) return { text, isCut: false };
    text = plain;
  }
  return { text, isCut: true };
}

/** `99, 117, 114, 108` */
const DECIMALS = /\b(?:1[0-2]\d|[3-9]\d)(?:[ ,]{1,2}(?:1[0-2]\d|[3-9]\d|9|10|13)\b){7,}/g;
/** `0x63, 0x75`, `63 75`, `=63=75` */
const BYTES =
  /(?:=[2-7][\dA-F]){4,}|\b(?:0x)?(?:[2-7][\da-f]|0[9ad])(?:[ ,:;]{1,2}(?:0x)?(?:[2-7][\da-f]|0[9ad])\b){7,}/gi;
/** `\x63`, `\u0063`, `%63`; `\x{63}`, `&#x63;`; `\143`; `&#99;`; `chr(99)`; `&vert;` */
const ESCAPE =
  /(?:\\x|\\u00|\\U000000|%)([2-7][\da-f])|(?:\\[xu]\{0{0,6}|&#x0{0,6})([2-7][\da-f])[};]?|\\0?(1[0-7]{2}|0?[4-7][0-7])(?!\d)|&#0{0,6}(1[0-2]\d|[3-9]\d)(?!\d);?|\bchr\(\s?(1[0-2]\d|[3-9]\d)\s?\)|&(amp|lt|gt|quot|apos|vert|verbar|verticalline|sol|bsol|dollar|lpar|rpar|semi|colon|period|grave|nbsp|tab|newline);/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  vert: '|',
  verbar: '|',
  verticalline: '|',
  sol: '/',
  bsol: '\\',
  dollar: '$',
  lpar: '(',
  rpar: ')',
  semi: ';',
  colon: ':',
  period: '.',
  grave: '`',
};
/** `'cu' + 'rl'` */
const JOINED = /(["'`])[ \t]*(?:(?:\+|\.{1,2})[ \t]*(\r?\n)?|(\r?\n)[ \t]*(?:\+|\.{1,2})?)[ \t]*\1/g;
/** `$'curl'` */
const QUOTED = /\$(["'])([^"'\n]{0,500})\1/g;

function writeOut(text: string): string {
  return text
    .replaceAll(DECIMALS, (list) => (/\d{3}/.test(list) ? readList(list, /(\d+)[ ,]*/g, 10) : list))
    .replaceAll(BYTES, (list) => readList(list, /(?:0x|=)?([\da-f]{2})[ ,:;]*/gi, 16))
    .replaceAll(ESCAPE, (_, ...groups: (string | undefined)[]) => {
      const [hex, braced = hex, octal, decimal, call, entity] = groups;
      if (braced !== undefined) return readCode(braced, 16);
      if (octal !== undefined) return readCode(octal, 8);
      if (decimal !== undefined) return readCode(decimal, 10);
      return call === undefined ? (ENTITIES[entity?.toLowerCase() ?? ''] ?? ' ') : `'${readCode(call, 10)}'`;
    })
    .replaceAll(JOINED, (_, _quote, before = '', after = before) => after)
    .replaceAll(QUOTED, '$2');
}

function readList(list: string, pattern: RegExp, base: number): string {
  return list.replaceAll(pattern, (_, code: string) => readCode(code, base));
}

/** A printable character, or a blank. */
function readCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : ' ';
}
