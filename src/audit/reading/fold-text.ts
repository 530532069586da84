import { foldLookalikes } from '../../parse/lookalikes.ts';

/** Text as the rules read it, with a way back to the lines of the file. */
export interface FoldedText {
  readonly text: string;
  /** The line of the file, counted from 1, for an offset in the folded text. */
  lineAt(offset: number): number;
}

/**
 * Undoes tricks that hide text from patterns, but not from a shell or a model: padding, joined lines, invisible
 * characters, lookalike letters, quotes inside words.
 */
export function foldText(raw: string): FoldedText {
  return foldBlanks(unquoteWords(joinLines(foldLetters(raw))));
}

const BEYOND_ASCII = /[^\n-\r\x20-\x7e\t]/;
/** Tag characters are invisible ASCII. */
const TAGS = /[\u{E0020}-\u{E007E}]/gu;
const UNSEEN = /[\0-\x08\x0e-\x1f\x7f\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

function foldLetters(raw: string): string {
  if (!BEYOND_ASCII.test(raw)) return raw;
  const plain = raw
    .replaceAll(TAGS, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replaceAll(UNSEEN, '')
    .replaceAll(JOINT, ' ')
    .normalize('NFKC');
  return foldLookalikes(plain);
}

/** Replaces a line break after a backslash, which is white space like any other. */
const JOINT = '\u2028';

function joinLines(text: string): string {
  return text.replaceAll(/\\\r?\n/g, JOINT);
}

/** A shell reads `c''url`, `c\url` and `curl${IFS}x` as `curl x`; a reader takes a written `\n` for white space. */
function unquoteWords(text: string): string {
  return text
    .replaceAll(/(?<=\w)(?:''|"")(?=\w)/g, '')
    .replaceAll(/\$\{IFS\}|\$IFS\b|\\[nrt]/g, ' ')
    .replaceAll(/(?<=[a-z])\\(?=[a-z])/g, '');
}

/** All white space except single blanks. */
const BLANKS = /\s{2,}|[^\S ]/g;

function foldBlanks(text: string): FoldedText {
  const lineStarts = [0];
  const lines = [1];
  let line = 1;
  let removed = 0;
  const folded = text.replaceAll(BLANKS, (run, at: number) => {
    const breaks = countBreaks(run.replaceAll(JOINT, '\n'));
    const blank = /[\n\r]/.test(run) ? '\n' : ' ';
    removed += run.length - blank.length;
    if (breaks === 0) return blank;
    line += breaks;
    lineStarts.push(at + run.length - removed);
    lines.push(line);
    return blank;
  });
  return { text: folded, lineAt: (offset) => lines[findLastBefore(lineStarts, offset)] ?? 1 };
}

/** The number of line breaks in a text. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The index of the last of the sorted offsets that is not after `offset`; 0 if there is none. */
export function findLastBefore(offsets: readonly number[], offset: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}
