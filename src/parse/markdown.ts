import { MAX_BRIEF_LENGTH } from '../model/limits.ts';
import { detach } from './frontmatter.ts';

/** The first level-1 heading outside code fences, as `# Title` or underlined with `=`. */
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
      if (title !== undefined) return detach(title);
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

/** `# Title ##` closes with hashes that are no part of it. Counted by hand: a pattern would be quadratic. */
function dropClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const isClosing = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return isClosing ? text.slice(0, end).trimEnd() : text;
}

function isUnderline(line: string): boolean {
  return /^(?:=+|-+)\s*$/.test(line);
}

/** A line of text: no heading, table, comment or rule. */
const TEXT = /^\s*(?!#{1,6}(?:\s|$)|\||<!--|(?:[-*_] ?){3,}$)\S/;
/** What may be underlined to be a heading: text, but no list or quotation. */
const PARAGRAPH = /^ {0,3}(?![-*+](?:\s|$)|>|\d+[.)]\s)\S/;

/** One line for lists: the first sentence, cut at a word where it is too long. */
export function firstSentence(text: string): string {
  const line = collapse(text.length > LOOK_AT ? text.slice(0, LOOK_AT).replace(/[\uD800-\uDBFF]$/, '') : text);
  const end = endOfSentence(line);
  return shorten(line.slice(0, end).replace(/[.。]$/, ''), MAX_BRIEF_LENGTH);
}

/** One line for lists out of a text that is meant as one. */
export function oneLine(text: string): string {
  return shorten(collapse(text), MAX_BRIEF_LENGTH);
}

/** No more than this can matter to a brief line. */
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

/** The first paragraph of running text: what stands in for a description where there is none. */
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

/** At most `max` code points, ending at a word, with an ellipsis where something was cut. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(text);
  if (points.length <= max) return text;
  const cut = points.slice(0, max - 1).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank > max / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}

function collapse(text: string): string {
  if (!/[\n\t]| {2}/.test(text)) return text.trim();
  return text.replaceAll(/\s+/g, ' ').trim();
}
