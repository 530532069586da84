import { MAX_BRIEF_LENGTH } from '../model/limits.ts';
import { detach } from './frontmatter.ts';

/** The first level-1 heading outside code fences, as `# Title` or underlined with `=`, without its Markdown marks. */
export function findTitle(body: string): string | undefined {
  let fence: string | undefined;
  let previous = '';
  for (let from = 0; from < body.length;) {
    const newline = body.indexOf('\n', from);
    const end = newline === -1 ? body.length : newline;
    const line = body.slice(from, end);
    const wasFenced = fence !== undefined;
    fence = fenceAfter(line, fence);
    if (!wasFenced && fence === undefined) {
      const title = readHeading(line, previous);
      if (title !== undefined) return detach(dropMarks(title));
    }
    previous = wasFenced || fence !== undefined ? '' : line;
    from = end + 1;
  }
  return undefined;
}

/** The open code fence after this line, given the one before it. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const match = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
  const marker = match?.[1] ?? match?.[2];
  if (fence === undefined || marker === undefined) return fence ?? marker;
  return marker.startsWith(fence) && line.trim() === marker ? undefined : fence;
}

function readHeading(line: string, previous: string): string | undefined {
  if (line.startsWith('=') && isUnderline(line) && TEXT.test(previous) && PARAGRAPH.test(previous))
    return previous.trim();
  if (!line.includes('#')) return undefined;
  const text = /^ {0,3}#[ \t]+(.*)$/.exec(line)?.[1];
  return text === undefined ? undefined : dropClosingHashes(text.trim()) || undefined;
}

/** Drops the closing hashes of `# Title ##`. A loop, since a pattern would take quadratic time. */
function dropClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const isClosing = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return isClosing ? text.slice(0, end).trimEnd() : text;
}

/** Longer titles keep their marks, which bounds the time that the patterns take. */
const MAX_MARKED_LENGTH = 400;

/** The text of a heading as a reader sees it: without links, code marks, emphasis and escapes. */
function dropMarks(title: string): string {
  if (title.length > MAX_MARKED_LENGTH || !/[*_`~[\\]/.test(title)) return title;
  const text = title
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replaceAll(/(`+)([^`]+)\1/g, '$2')
    .replaceAll(/(?<!\\)(\*{1,3}|~~)(?=\S)([^*~]*[^\s*~\\])\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}_\\])(_{1,3})(?=\S)([^_]*[^\s_\\])\1(?![\p{L}\p{N}_])/gu, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
  return text || title;
}

function isUnderline(line: string): boolean {
  return /^(?:=+|-+)\s*$/.test(line);
}

/** A line of text: not a heading, table, comment or rule. */
const TEXT = /^\s*(?!#{1,6}(?:\s|$)|\||<!--|(?:[-*_] ?){3,}$)\S/;
/** A line that underlining makes a heading: text, but not a list or quotation. */
const PARAGRAPH = /^ {0,3}(?![-*+](?:\s|$)|>|\d+[.)]\s)\S/;

/** The first sentence as one line, shortened at a word if it is too long. */
export function firstSentence(text: string): string {
  const line = collapse(text.length > LOOK_AT ? text.slice(0, LOOK_AT).replace(/[\uD800-\uDBFF]$/, '') : text);
  const end = endOfSentence(line);
  return shorten(line.slice(0, end).replace(/[.。]$/, ''), MAX_BRIEF_LENGTH);
}

/** The text as one line, shortened at a word if it is too long. */
export function oneLine(text: string): string {
  return shorten(collapse(text), MAX_BRIEF_LENGTH);
}

/** A brief line depends on no more characters than this. */
const LOOK_AT = 4 * MAX_BRIEF_LENGTH;

function endOfSentence(line: string): number {
  for (let from = 0; ;) {
    const at = line.slice(from).search(/[.!?](?= )|[。！？]/);
    if (at === -1) return line.length;
    from += at + 1;
    if (!isAbbreviation(line, from - 1)) return from;
  }
}

function isAbbreviation(line: string, end: number): boolean {
  return /\b(?:e\.g|i\.e|etc|vs|approx|incl|No|Dr|St)$/.test(line.slice(Math.max(0, end - 8), end));
}

/** The first paragraph of running text. It stands in for a missing description. */
export function firstProse(body: string): string {
  const paragraph: string[] = [];
  let fence: string | undefined;
  for (const line of body.split('\n')) {
    const wasFenced = fence !== undefined;
    fence = fenceAfter(line, fence);
    const isProse = !wasFenced && fence === undefined && TEXT.test(line) && !isUnderline(line);
    if (isProse) paragraph.push(line);
    else if (isUnderline(line) && paragraph.length > 0) paragraph.length = 0;
    else if (paragraph.length > 0) break;
  }
  return collapse(paragraph.join(' '));
}

/** Shortens to at most `max` code points, at a word, with an ellipsis if anything was cut. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 1; count < max; count += 1) end += widthAt(text, end);
  if (end + widthAt(text, end) >= text.length) return text;
  const cut = text.slice(0, end);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > max / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}

/** UTF-16 units of the character at `at`. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function collapse(text: string): string {
  if (!/[\n\t]| {2}/.test(text)) return text.trim();
  return text.replaceAll(/\s+/g, ' ').trim();
}
