import { once } from '../model/once.ts';

const ELLIPSIS = '…';
/** At least this share of the room is used, if there is any place for a cut in the rest. */
const WANTED_SHARE = 0.8;
/** Without any place for a cut behind this share, a word is cut. */
const LEAST_SHARE = 0.5;

/**
 * Cuts a line to at most `maxLength` characters, preferably at the end of a sentence, else at a semicolon or colon, a
 * comma, a dash or a word. An ellipsis marks the cut.
 */
export function shortenAtClause(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const room = Math.max(0, maxLength - ELLIPSIS.length);
  const end = findEnd(line, room) ?? endOfCharacter(line, room);
  return markCut(line.slice(0, end));
}

/** Puts an ellipsis in the place of the pause at the end. */
export function markCut(text: string): string {
  return `${dropPauses(text)}${ELLIPSIS}`;
}

/** Written by hand, because a pattern would be quadratic. */
function dropPauses(text: string): string {
  let end = text.length;
  while (' .,;:。，；：、–—-…'.includes(text[end - 1] ?? 'a')) end -= 1;
  return text.slice(0, end);
}

function findEnd(line: string, room: number): number | undefined {
  let best: number | undefined;
  let strength = 0;
  for (let end = room; end > 0 && end >= room * LEAST_SHARE; end -= 1) {
    if (best !== undefined && end < room * WANTED_SHARE) break;
    const found = strengthOf(line, end);
    if (found <= strength) continue;
    best = end;
    strength = found;
  }
  return best;
}

const SENTENCE = 5;
const CLAUSE = 4;
const COMMA = 3;
const DASH = 2;
const WORD = 1;

/** How good a place `end` is for a cut; 0 if it is none. */
function strengthOf(line: string, end: number): number {
  const last = line[end - 1] ?? '';
  if ('。！？'.includes(last)) return SENTENCE;
  if ('；：'.includes(last)) return CLAUSE;
  if ('，、'.includes(last)) return COMMA;
  if (line[end] === '—') return DASH;
  if (line[end] !== ' ') return 0;
  if ('.!?'.includes(last)) return isAbbreviation(line, end) ? WORD : SENTENCE;
  if (';:'.includes(last)) return CLAUSE;
  if (last === ',') return COMMA;
  return /^ [–—-] /.test(line.slice(end, end + 3)) ? DASH : WORD;
}

/** Neither "e.g. " nor a full stop before a small letter ends a sentence. */
function isAbbreviation(line: string, end: number): boolean {
  return /(?:^|[\s.(])\p{L}\.$/u.test(line.slice(Math.max(0, end - 4), end)) || /\p{Ll}/u.test(line[end + 1] ?? '');
}

/** The last place up to `room` that does not split a character from its marks and joiners. */
function endOfCharacter(line: string, room: number): number {
  for (let end = room; end > Math.max(0, room - MOST_MARKS); end -= 1) {
    if (!isInPair(line, end) && !joined().test(line.slice(end, end + 2)) && line[end - 1] !== '\u200D') return end;
  }
  return isInPair(line, room) ? room - 1 : room;
}

/** A longer sequence does not count as one character. */
const MOST_MARKS = 32;
const joined = once(() => /^(?:\p{M}|\u200D|\p{Emoji_Modifier})/u);

function isInPair(line: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(line.slice(at - 1, at + 1));
}
