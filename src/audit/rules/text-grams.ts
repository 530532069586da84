import { findRequired, WORD_END, WORD_START } from './required-text.ts';

/**
 * Every three and two neighbouring characters of a text, as marks in a table: in lower case, with a blank for any white
 * space, and with the borders of words. It may have marks of others, too: what it does not have is not in the text.
 */
export type TextGrams = Uint8Array;

/** The bits of a table: small, since each text has its own, and so many that a text of some pages sets few. */
const SIZE = 0x2_0000;
const START = WORD_START.charCodeAt(0);
const END = WORD_END.charCodeAt(0);
const PAIR = 3;

/** Reads a text once. Nothing is called for its usual characters: most texts are over before such calls are compiled. */
export function markGrams(text: string): TextGrams {
  const marks = new Uint8Array(SIZE / 8);
  let [first, second] = [0, 0];
  let [wasWord, startsWord] = [false, false];
  for (let at = 0; at <= text.length; at += 1) {
    const code = at === text.length ? 0 : text.charCodeAt(at);
    const third = FOLDED[code] ?? foldUnusual(code);
    const inWord = WORDS[code] ?? false;
    const three = (first * 1021 + second * 37 + third) & (SIZE - 1);
    marks[three >> 3] = (marks[three >> 3] ?? 0) | (1 << (three & 7));
    const two = (PAIR * 1021 + second * 37 + third) & (SIZE - 1);
    marks[two >> 3] = (marks[two >> 3] ?? 0) | (1 << (two & 7));
    if (startsWord) mark(marks, place(START, second, third));
    if (wasWord && !inWord) {
      mark(marks, place(first, second, END));
      if (startsWord) mark(marks, place(START, second, END));
    }
    startsWord = inWord && !wasWord;
    wasWord = inWord;
    first = second;
    second = third;
  }
  return marks;
}

function mark(marks: Uint8Array, at: number): void {
  marks[at >> 3] = (marks[at >> 3] ?? 0) | (1 << (at & 7));
}

/** Says quickly that a pattern has no match in a text; true if it may have one. */
export type MayMatch = (grams: TextGrams) => boolean;

/**
 * The marks of texts of which every match of a pattern contains one: of each text their number, then its marks. One list,
 * since a rule looks for dozens of texts, and nearly every other text lacks the first mark of each.
 */
export type RequiredMarks = readonly number[];

/** If the marks that it requires are not known, the pattern is read when its filter is first asked. */
export function openFilter(pattern: RegExp, known?: RequiredMarks): MayMatch {
  let required = known;
  return (grams) => {
    required ??= requiredMarks(pattern);
    return hasOne(grams, required);
  };
}

/** Reads a pattern. */
export function requiredMarks(pattern: RegExp): RequiredMarks {
  const texts = [...new Set(findRequired(pattern) ?? [])];
  // A text that contains another one is not looked for: where it is, the other one is.
  const fewest = texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
  return fewest.length === 0 ? NOTHING_REQUIRED : fewest.map(placesOf).flatMap((places) => [places.length, ...places]);
}

const NOTHING_REQUIRED: RequiredMarks = [0];
/** Texts that have so many of the marks are rare. */
const MOST_MARKS = 6;

function hasOne(grams: TextGrams, required: RequiredMarks): boolean {
  for (let at = 0; at < required.length;) {
    const end = at + 1 + (required[at] ?? 0);
    for (at += 1; at < end; at += 1) {
      const mark = required[at] ?? 0;
      if (((grams[mark >> 3] ?? 0) & (1 << (mark & 7))) === 0) break;
    }
    if (at === end) return true;
    at = end;
  }
  return false;
}

function placesOf(text: string): readonly number[] {
  const codes = Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at);
    return code === START || code === END ? code : fold(code);
  });
  const [first = 0, second = 0] = codes;
  if (codes.length === 2) return [place(PAIR, first, second)];
  return codes.slice(2, 2 + MOST_MARKS).map((third, at) => place(codes[at] ?? 0, codes[at + 1] ?? 0, third));
}

function place(first: number, second: number, third: number): number {
  return (first * 1021 + second * 37 + third) & (SIZE - 1);
}

/** Patterns that ignore case take no other letters for those of ASCII. */
function fold(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return code < 0x21 || code > 0x7e ? foldUnusual(code) : code;
}

const BLANK = 0x20;
const WHITE = /\s/;

function foldUnusual(code: number): number {
  if (code === BLANK || (code >= 9 && code <= 13)) return BLANK;
  if (code < BLANK) return 0;
  return code > 0x7f && WHITE.test(String.fromCharCode(code)) ? BLANK : code;
}

/** The characters of ASCII, folded, and whether they belong to words. */
const FOLDED: readonly number[] = Array.from({ length: 128 }, (_, code) => fold(code));
const WORDS: readonly boolean[] = Array.from({ length: 128 }, (_, code) => /\w/.test(String.fromCharCode(code)));
