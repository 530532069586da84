import { findLastBefore } from './sorted-offsets.ts';

/** Text as rules read it, with the way back to lines of the file. */
export interface FoldedText {
  readonly text: string;
  /** The end of the piece before stands up to here, so that what lies across the border is met as well. */
  readonly freshFrom: number;
  /** The line of the file, from 1, that an offset of the folded text stands in. */
  lineAt(offset: number): number;
  /** What the next piece begins with. */
  tail(): FoldedTail;
}

/** The end of a folded text, with its lines. */
export interface FoldedTail {
  readonly text: string;
  /** Where it began in the text that it is the end of. */
  readonly start: number;
  readonly lineStarts: readonly number[];
  readonly lines: readonly number[];
}

export interface FoldOptions {
  readonly firstLine?: number;
  readonly after?: FoldedTail | undefined;
}

/** How much of a folded text the next piece begins with: more than any match of a rule. */
export const TAIL_CHARACTERS = 8192;

const NO_TAIL: FoldedTail = { text: '', start: 0, lineStarts: [], lines: [] };

/**
 * Undoes what keeps a pattern from seeing what a shell or a model sees: padding, joined lines, invisible characters,
 * letters that only look like others, quotes inside words.
 */
export function foldText(raw: string, { firstLine = 1, after = NO_TAIL }: FoldOptions = {}): FoldedText {
  return foldBlanks(unquoteWords(after.text + joinLines(foldLetters(raw))), after, firstLine);
}

const BEYOND_ASCII = /[^\n-\r\x20-\x7e\t]/;
/** Tag characters are ASCII that nobody sees. */
const TAGS = /[\u{E0020}-\u{E007E}]/gu;
const UNSEEN = /[\0-\x08\x0e-\x1f\x7f\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

function foldLetters(raw: string): string {
  if (!BEYOND_ASCII.test(raw)) return raw;
  return raw
    .replaceAll(TAGS, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replaceAll(UNSEEN, '')
    .replaceAll(JOINT, ' ')
    .normalize('NFKC')
    .replaceAll(LOOKALIKES, (letter) => LATIN.get(letter) ?? letter);
}

/** Cyrillic and Greek letters that look like Latin ones. */
const LATIN: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcуyхxіiѕsјjһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЅSЈJοoΟOΑAΒBΕEΗHΙIΚKΜMΝNΡPΤTΧXνv'.matchAll(/(.)(.)/gu)].map(
    ([, lookalike = '', latin = '']) => [lookalike, latin],
  ),
);

/** Is a letter one that passes for a Latin one? */
export function isLookalike(letter: string): boolean {
  return LATIN.has(letter);
}

const LOOKALIKES = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'g');

/** Stands for a line break that a backslash before it undoes; like one it is a blank. */
const JOINT = '\u2028';

function joinLines(text: string): string {
  return text.replaceAll(/\\\r?\n/g, JOINT);
}

/** `c''url`, `c\url` and `curl${IFS}x` are `curl x` to a shell; a written `\n` is a blank to a reader. */
function unquoteWords(text: string): string {
  return text
    .replaceAll(/(?<=\w)(?:''|"")(?=\w)/g, '')
    .replaceAll(/\$\{IFS\}|\$IFS\b|\\[nrt]/g, ' ')
    .replaceAll(/(?<=[a-z])\\(?=[a-z])/g, '');
}

/** All that is not a single blank already. */
const BLANKS = /\s{2,}|[^\S ]/g;

function foldBlanks(text: string, after: FoldedTail, firstLine: number): FoldedText {
  const freshFrom = after.text.length;
  const lineStarts = [...after.lineStarts, freshFrom];
  const lines = [...after.lines, firstLine];
  let line = firstLine;
  let removed = 0;
  const folded = text.replaceAll(BLANKS, (run, at: number) => {
    const breaks = countBreaks(run.slice(Math.max(0, freshFrom - at)).replaceAll(JOINT, '\n'));
    const blank = /[\n\r]/.test(run) ? '\n' : ' ';
    removed += run.length - blank.length;
    if (breaks === 0) return blank;
    line += breaks;
    lineStarts.push(at + run.length - removed);
    lines.push(line);
    return blank;
  });
  return {
    text: folded,
    freshFrom,
    lineAt: (offset) => lines[findLastBefore(lineStarts, offset)] ?? firstLine,
    tail: () => cutTail(folded, lineStarts, lines),
  };
}

function cutTail(text: string, lineStarts: readonly number[], lines: readonly number[]): FoldedTail {
  const start = Math.max(0, text.length - TAIL_CHARACTERS);
  const from = findLastBefore(lineStarts, start);
  return {
    text: text.slice(start),
    start,
    lineStarts: lineStarts.slice(from).map((offset) => Math.max(0, offset - start)),
    lines: lines.slice(from),
  };
}

/** How many line breaks a text holds. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
