import { displayWidth } from '../../model/display-width.ts';

/** The lines of a text that fit so many columns, broken between words. */
export function wrap(text: string, columns: number): readonly string[] {
  return breakLine(text, columns, 0).map(([start, end]) => text.slice(start, end));
}

/** Where a line of a text starts and ends. */
export type LineRange = readonly [start: number, end: number];

/**
 * Breaks a text between words, so that its lines fit so many columns with an indent before all but the first. Words that
 * are wider stay whole, and so does a command in backticks if it fits. Chinese and Japanese, which have no spaces, break
 * between characters, but not before a closing mark.
 */
export function breakLine(text: string, columns: number, indent: number): readonly LineRange[] {
  if (displayWidth(text) <= columns) return [[0, text.length]];
  const lines: LineRange[] = [];
  let [start, end] = [0, 0];
  for (const [from, to] of findWords(text, columns - indent)) {
    const room = columns - (lines.length === 0 ? 0 : indent);
    if (end > 0 && displayWidth(text.slice(start, to)) > room) {
      lines.push([start, end]);
      start = from;
    }
    end = to;
  }
  return [...lines, [start, end]];
}

/** The column below which a line goes on: after blanks, a mark such as `-` or `✓`, and a first column such as a label. */
export function findIndent(text: string, columns: number): number {
  const [before = '', blanks = ''] = /^( *)(?:[^\w\s] )?(?:\S+ {2,})?/.exec(text) ?? [];
  return displayWidth(before) > columns / 2 ? blanks.length : displayWidth(before);
}

function findWords(text: string, room: number): readonly LineRange[] {
  return Array.from(text.matchAll(/(?:`[^`]*`|\S)+/g)).flatMap(({ 0: word, index }) => {
    if (displayWidth(word) <= room) return [[index, index + word.length] as const];
    return Array.from(word.matchAll(PARTS), (part): LineRange => {
      const from = index + part.index;
      return [from, from + part[0].length];
    });
  });
}

/** A character of a script without spaces, with the marks that close it, or a run of others. */
const PARTS: RegExp =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]\p{P}*|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;
