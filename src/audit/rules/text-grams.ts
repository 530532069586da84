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

/** Reads a text once. */
export function markGrams(text: string): TextGrams {
  const marks = new Uint8Array(SIZE / 8);
  const mark = (at: number): void => {
    marks[at >> 3] = (marks[at >> 3] ?? 0) | (1 << (at & 7));
  };
  let [first, second] = [0, 0];
  let [wasWord, startsWord] = [false, false];
  for (let at = 0; at <= text.length; at += 1) {
    const third = at === text.length ? 0 : fold(text.charCodeAt(at));
    const inWord = isWord(third);
    mark(place(first, second, third));
    mark(place(PAIR, second, third));
    if (startsWord) mark(place(START, second, third));
    if (wasWord && !inWord) {
      mark(place(first, second, END));
      if (startsWord) mark(place(START, second, END));
    }
    startsWord = inWord && !wasWord;
    wasWord = inWord;
    first = second;
    second = third;
  }
  return marks;
}

/** Says quickly that a pattern has no match in a text; true if it may have one. */
export type MayMatch = (grams: TextGrams) => boolean;

/** The pattern is read when its filter is first asked. */
export function openFilter(pattern: RegExp): MayMatch {
  let required: readonly (readonly number[])[] | undefined;
  return (grams) => {
    required ??= findRequired(pattern)?.map(placesOf) ?? NOTHING_REQUIRED;
    return required.some((places) => hasAll(grams, places));
  };
}

const NOTHING_REQUIRED: readonly (readonly number[])[] = [[]];

/** Nearly all texts lack the first one already. */
function hasAll(grams: TextGrams, places: readonly number[]): boolean {
  for (const at of places) if (((grams[at >> 3] ?? 0) & (1 << (at & 7))) === 0) return false;
  return true;
}

function placesOf(text: string): readonly number[] {
  const codes = Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at);
    return code === START || code === END ? code : fold(code);
  });
  const [first = 0, second = 0] = codes;
  if (codes.length === 2) return [place(PAIR, first, second)];
  return codes.slice(2).map((third, at) => place(codes[at] ?? 0, codes[at + 1] ?? 0, third));
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

/** In lower case. */
function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}
