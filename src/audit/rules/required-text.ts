/** In a required text: a word begins or ends here. */
export const WORD_START = '\u0001';
export const WORD_END = '\u0002';

/**
 * Texts of which every match of a pattern contains at least one; undefined if nothing can be said. They are in lower case,
 * with a blank for any white space. Understands the syntax that our rules use, and takes everything else for "anything".
 */
export function findRequired({ source }: RegExp): readonly string[] | undefined {
  const { exact, required } = readAlternatives({ source, at: 0 });
  return worthOf(exact) > worthOf(required) ? exact : required;
}

interface Cursor {
  readonly source: string;
  at: number;
}

/** A part of a pattern. It matches nothing but one of `exact`; any match contains one of `required`. */
interface Piece {
  readonly exact?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
}

const ANYTHING: Piece = {};
/** More alternatives are not multiplied with those beside them. */
const MAX_EXACT = 24;

/** Reads up to the closing bracket or the end. What is required must be so in each alternative. */
function readAlternatives(cursor: Cursor): Piece {
  const branches: Piece[] = [];
  do branches.push(readSequence(cursor));
  while (take(cursor, '|'));
  const exact = branches.map((branch) => branch.exact);
  const required = branches.map((branch) => (worthOf(branch.exact) > 0 ? branch.exact : branch.required));
  return { exact: joinAll(exact), required: joinAll(required) };
}

function joinAll(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function readSequence(cursor: Cursor): Piece {
  let best: readonly string[] | undefined;
  let runs: readonly string[] = [''];
  let isExact = true;
  const consider = (texts: readonly string[] | undefined): void => {
    if (worthOf(texts) > worthOf(best)) best = texts;
  };
  const breakOff = (next = ''): void => {
    consider(runs.map(dropStart));
    runs = [next];
    isExact = false;
  };
  for (let next = peek(cursor); next !== '' && next !== '|' && next !== ')'; next = peek(cursor)) {
    if (next === '\\' && cursor.source[cursor.at + 1] === 'b') {
      cursor.at += 2;
      runs = runs.map((run) => (isWord(run.at(-1)) ? `${run}${WORD_END}` : run));
      breakOff(WORD_START);
      continue;
    }
    const piece = readPiece(cursor);
    const { min, max } = readQuantifier(cursor);
    const exact = max === 1 && piece.exact !== undefined ? [...piece.exact, ...(min === 0 ? [''] : [])] : undefined;
    if (exact !== undefined && exact.length * runs.length <= MAX_EXACT) runs = multiply(runs, exact);
    else {
      breakOff();
      if (min > 0) consider(worthOf(piece.exact) > 0 ? piece.exact : piece.required);
    }
  }
  const texts = runs.map(dropStart);
  if (isExact) return { exact: texts };
  consider(texts);
  return { required: best };
}

function dropStart(run: string): string {
  return run.endsWith(WORD_START) ? run.slice(0, -1) : run;
}

function isWord(character = ''): boolean {
  return WORD.test(character);
}

const WORD = /\w/;

/** A border of a word before anything but a letter is its end, which is not looked for. */
function multiply(runs: readonly string[], next: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const run of runs) for (const text of next) texts.push((isWord(text[0]) ? run : dropStart(run)) + text);
  return texts;
}

/** Longer texts are rarer; of equally long ones, fewer are. Single characters are in every text. */
function worthOf(texts: readonly string[] | undefined): number {
  if (texts === undefined || texts.length === 0) return 0;
  let shortest = Number.POSITIVE_INFINITY;
  for (const { length } of texts) shortest = Math.min(shortest, length);
  return shortest < 2 ? 0 : Math.min(shortest, 6) - texts.length / 1_000;
}

function readPiece(cursor: Cursor): Piece {
  LETTERS.lastIndex = cursor.at;
  const [letters] = LETTERS.exec(cursor.source) ?? [];
  if (letters !== undefined) {
    cursor.at += letters.length;
    return { exact: [letters.toLowerCase()] };
  }
  const character = cursor.source[cursor.at] ?? '';
  cursor.at += 1;
  if (character === '(') return readGroup(cursor);
  if (character === '[') return readClass(cursor);
  if (character === '\\') return readEscape(cursor);
  return character === '.' || character === '^' || character === '$' ? ANYTHING : { exact: [character.toLowerCase()] };
}

/** Most of every pattern; a quantifier counts only for the last character before it. */
const LETTERS = /[\w /:;,"'=<>~#%&!@-]+(?![?*+{])/y;

/** Lookaheads and lookbehinds are not part of the match. */
function readGroup(cursor: Cursor): Piece {
  const [opening = ''] = /^(?:\?(?:[:=!]|<[=!]))?/.exec(cursor.source.slice(cursor.at, cursor.at + 3)) ?? [];
  cursor.at += opening.length;
  const inner = readAlternatives(cursor);
  take(cursor, ')');
  return opening === '' || opening === '?:' ? inner : ANYTHING;
}

/** A few characters, without ranges and escapes. */
const FEW = /^[^\\\]^-][^\\\]-]{0,7}$/;

function readClass(cursor: Cursor): Piece {
  const start = cursor.at;
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ']')
    cursor.at += cursor.source[cursor.at] === '\\' ? 2 : 1;
  const content = cursor.source.slice(start, cursor.at);
  cursor.at += 1;
  return FEW.test(content) ? { exact: [...new Set(content.toLowerCase())] } : ANYTHING;
}

function readEscape(cursor: Cursor): Piece {
  const character = cursor.source[cursor.at] ?? '';
  cursor.at += 1;
  if (character === 's' || character === 'n') return { exact: [' '] };
  if (!/[A-Za-z\d]/.test(character)) return { exact: [character] };
  cursor.at += DIGITS[character] ?? 0;
  return ANYTHING;
}

/** The digits of an escaped code. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4 };

const ONCE = { min: 1, max: 1 };

function readQuantifier(cursor: Cursor): { readonly min: number; readonly max: number } {
  if (!'?*+{'.includes(peek(cursor) || 'x')) return ONCE;
  QUANTIFIER.lastIndex = cursor.at;
  const [text = '', sign, least, comma, most] = QUANTIFIER.exec(cursor.source) ?? [];
  cursor.at += text.length;
  if (least !== undefined) return { min: Number(least), max: comma === undefined ? Number(least) : Number(most || 2) };
  if (sign === undefined) return ONCE;
  return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : 2 };
}

const QUANTIFIER = /(?:([?*+])|\{(\d+)(?:(,)(\d*))?\})\??/y;

/** The next character; empty at the end. */
function peek({ source, at }: Cursor): string {
  return source[at] ?? '';
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.source[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}
