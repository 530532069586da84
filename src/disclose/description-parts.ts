import { once, rememberTexts } from '../model/once.ts';
import { findExclusion, hideExclusions } from '../select/index/exclusions.ts';
import { markCut, shortenAtClause } from './shorten.ts';

/** Where a text says when to use a skill: the marker, such as "Use when", begins at `start` and ends at `end`. */
export interface WhenPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * The words that begin the part of a description that says when to use the skill. A description that uses none of them is
 * cut like any other text.
 */
const MARKERS = [
  // "Use this skill when", "Invoke for", "Apply it before"
  String.raw`\b(?:use|used|invoke|activate|apply)\b(?:\s+[^\s.!?;:]+){0,4}?\s+(?:when|whenever|if|for|before|after|to)\b`,
  String.raw`\bshould be used\b`,
  String.raw`\buse proactively\b`,
  String.raw`\btriggers?(?::|\s+(?:on|when)\b)`,
  String.raw`\bwhen (?:the user|a user|users|you|asked)\b`,
  '当|用于|适用于|触发|когда|используй',
  String.raw`\bcuando\b`,
];

const marker = once(() => new RegExp(MARKERS.join('|'), 'iu'));

/** The first place of a text that says when to use the skill; undefined if there is none. */
export function findWhen(text: string): WhenPlace | undefined {
  const found = marker().exec(hideExclusions(text));
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** A marker before this place is at the beginning anyway. */
const FIRST_WORDS = 16;

interface DescriptionParts {
  readonly what: string;
  /** Begins with the marker. */
  readonly when: string;
  /** Begins with the first exclusion behind the marker. */
  readonly not: string;
}

/** Undefined if there is nothing to part. Remembered: a list tries several lengths for each description. */
const partsOf = rememberTexts(1_000, (text): DescriptionParts | undefined => {
  const place = findWhen(text);
  if (place === undefined || place.start <= FIRST_WORDS) return undefined;
  const excludedAt = findExclusion(text, place.end) ?? text.length;
  const cut = (from: number, to?: number): string => text.slice(from, to).trim();
  return { what: cut(0, place.start), when: cut(place.start, excludedAt), not: cut(excludedAt) };
});

/** With less room, the name must say what the skill does. In characters. */
const LEAST_FOR_WHAT = 110;
/** With less room, there is none for what the skill is not for. */
const LEAST_FOR_NOT = 200;
const NOT_SHARE = 0.22;

/**
 * Cuts a description to at most `maxLength` characters so that it still says when to use the skill: models choose by
 * that. A short cut has nothing else; a longer one gives it at least half of the room, and the longest also keep what the
 * skill is not for.
 */
export function shortenDescription(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const parts = partsOf(text);
  if (parts === undefined) return shortenAtClause(text, maxLength);
  const { what, when, not } = parts;
  if (maxLength < LEAST_FOR_WHAT) return cutPart(when, maxLength, not !== '');
  const keepsNot = not !== '' && maxLength >= LEAST_FOR_NOT;
  const room = maxLength - 1;
  const forNot = keepsNot ? Math.min(not.length, Math.floor(NOT_SHARE * maxLength)) + 1 : 0;
  const forWhen = Math.min(when.length, Math.max(Math.ceil((room - forNot) / 2), room - forNot - what.length));
  const forWhat = Math.min(what.length, room - forNot - forWhen);
  return [
    cutPart(what, forWhat, false),
    cutPart(when, forWhen, not !== '' && !keepsNot),
    ...(keepsNot ? [cutPart(not, room - forWhat - forWhen - 1, false)] : []),
  ].join(' ');
}

/** `isCut` says that something is left out behind the part, which the reader must see. */
function cutPart(part: string, room: number, isCut: boolean): string {
  if (!isCut) return shortenAtClause(part, room);
  const marked = markCut(part);
  return marked.length <= room ? marked : markCut(shortenAtClause(part, room - 1));
}
