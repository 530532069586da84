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
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker !== undefined && marker.startsWith(fence) && line.trim() === marker) fence = undefined;
    } else if (marker === undefined) {
      const title = readHeading(line, previous);
      if (title !== undefined) return detach(title);
    } else fence = marker;
    previous = fence === undefined ? line : '';
    from = end + 1;
  }
  return undefined;
}

function readHeading(line: string, previous: string): string | undefined {
  if (line.startsWith('=') && /^=+\s*$/.test(line) && /^ {0,3}\w/.test(previous)) return previous.trim();
  if (!line.includes('#')) return undefined;
  const text = /^ {0,3}#[ \t]+(.*)$/.exec(line)?.[1];
  return text === undefined ? undefined : text.replace(/(?:^|[ \t]+)#+[ \t]*$/, '').trim() || undefined;
}

/** One line for lists: the first sentence, cut at a word where it is too long. */
export function firstSentence(text: string): string {
  const line = collapse(text.length > LOOK_AT ? text.slice(0, LOOK_AT) : text);
  const end = endOfSentence(line);
  return shorten(line.slice(0, end).replace(/[.。]$/, ''), MAX_BRIEF_LENGTH);
}

/** No more than this can matter to a brief line. */
const LOOK_AT = 4 * MAX_BRIEF_LENGTH;

function endOfSentence(line: string): number {
  for (const { index } of line.matchAll(/[.!?](?= )|[。！？]/g)) {
    if (!/\b(?:e\.g|i\.e|etc|vs|approx|incl|No|Dr|St)$/.test(line.slice(Math.max(0, index - 8), index)))
      return index + 1;
  }
  return line.length;
}

/** The first paragraph of prose: what stands in for a description where there is none. */
export function firstProse(body: string): string {
  for (const block of body.split(/\n\s*\n/)) {
    const text = block.trim();
    if (text !== '' && !/^(?:#|```|~~~|<!--|\||[-*_]{3,}\s*$|=+\s*$)/.test(text)) return collapse(text.slice(0, 1000));
  }
  return '';
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
