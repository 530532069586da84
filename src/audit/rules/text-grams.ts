import { findRequired, WORD_END, WORD_START } from './required-text.ts';

/**
 * Every three and two neighbouring characters of a text, as marks in a table: in lower case, with a blank for any white
 * space, and with the borders of words. It may have marks of others, too: what it does not have is not in the text.
 */
export type TextGrams = Uint8Array;

const SIZE = 0x1_0000;
const START = WORD_START.charCodeAt(0);
const END = WORD_END.charCodeAt(0);
const PAIR = 3;

/** Reads a text once. */
export function markGrams(text: string): TextGrams {
  const marks = new Uint8Array(SIZE);
  let [first, second] = [0, 0];
  let [wasWord, startsWord] = [false, false];
  for (let at = 0; at <= text.length; at += 1) {
    const third = at === text.length ? 0 : fold(text.charCodeAt(at));
    const inWord = isWord(third);
    marks[place(first, second, third)] = 1;
    marks[place(PAIR, second, third)] = 1;
    if (startsWord) marks[place(START, second, third)] = 1;
    if (wasWord && !inWord) {
      marks[place(first, second, END)] = 1;
      if (startsWord) marks[place(START, second, END)] = 1;
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

export function openFilter(pattern: RegExp): MayMatch {
  const required = findRequired(pattern)?.map(placesOf);
  if (required === undefined) return () => true;
  return (grams) => required.some((places) => places.every((at) => grams[at] === 1));
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
  return ((first << 10) ^ (second << 5) ^ third) & (SIZE - 1);
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
