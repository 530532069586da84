import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { endOfQuote, isBlankOrComment, isComment, isNull, KEY, trimBlanks, unquote } from './simple-scalars.ts';

/**
 * Reads a list or mapping in brackets, followed by a comment or nothing; undefined if there is any doubt. The first line
 * begins with its bracket.
 */
export function readFlow(lines: readonly string[]): FrontmatterValue | undefined {
  const cursor = { text: lines.join('\n'), at: 0 };
  const value = readValue(cursor, 0);
  const [behind = '', ...more] = cursor.text.slice(cursor.at).split('\n');
  return isComment(behind) && more.every(isBlankOrComment) ? value : undefined;
}

const MAX_DEPTH = 16;
const MAX_KEY_LENGTH = 1_000;
/** A plain scalar up to a character that may have a meaning in brackets. */
const PLAIN = /[^\s\-?:,[\]{}#&*!|>'"%@`\\](?:[^\n,[\]{}:#"'\\]|:(?=[^\s,[\]{}]))*/y;
const PLAIN_KEY = /[A-Za-z_][\w.-]*(?=: )/y;

interface Cursor {
  readonly text: string;
  at: number;
}

function readValue(cursor: Cursor, depth: number): FrontmatterValue | undefined {
  const sign = cursor.text[cursor.at];
  if (depth > MAX_DEPTH) return undefined;
  if (sign === '[') return readList(cursor, depth + 1);
  if (sign === '{') return readMap(cursor, depth + 1);
  if (sign === '"' || sign === "'") return readQuoted(cursor);
  const text = take(cursor, PLAIN);
  if (text === undefined) return undefined;
  const value = trimBlanks(text);
  return isNull(value) ? null : value;
}

function readList(cursor: Cursor, depth: number): readonly FrontmatterValue[] | undefined {
  const items: FrontmatterValue[] = [];
  cursor.at += 1;
  while (!isClosed(cursor, ']')) {
    const item = readValue(cursor, depth);
    if (item === undefined || !isSeparated(cursor, ']')) return undefined;
    items.push(item);
  }
  return items;
}

function readMap(cursor: Cursor, depth: number): FrontmatterMap | undefined {
  const entries = new Map<string, FrontmatterValue>();
  cursor.at += 1;
  while (!isClosed(cursor, '}')) {
    const key = readKey(cursor);
    if (key === undefined || entries.has(key)) return undefined;
    skipBlanks(cursor);
    const value = readValue(cursor, depth);
    if (value === undefined || !isSeparated(cursor, '}')) return undefined;
    entries.set(key, value);
  }
  return entries;
}

/** The key with its colon. */
function readKey(cursor: Cursor): string | undefined {
  const start = cursor.at;
  const sign = cursor.text[start];
  const key = sign === '"' || sign === "'" ? readQuoted(cursor) : take(cursor, PLAIN_KEY);
  if (key === undefined || !KEY.test(key) || cursor.at - start > MAX_KEY_LENGTH) return undefined;
  if (cursor.text[cursor.at] !== ':') return undefined;
  cursor.at += 1;
  return key;
}

function readQuoted(cursor: Cursor): string | undefined {
  const end = endOfQuote(cursor.text, cursor.at);
  const quoted = cursor.text.slice(cursor.at, Math.max(end, cursor.at));
  if (end === -1 || quoted.includes('\n')) return undefined;
  cursor.at = end;
  return unquote(quoted);
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const text = pattern.exec(cursor.text)?.[0];
  cursor.at += text?.length ?? 0;
  return text;
}

/** Skips the closing bracket, if it is next. */
function isClosed(cursor: Cursor, bracket: string): boolean {
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== bracket) return false;
  cursor.at += 1;
  return true;
}

/** Is the item followed by a comma, which is skipped, or by the closing bracket? */
function isSeparated(cursor: Cursor, bracket: string): boolean {
  skipBlanks(cursor);
  if (cursor.text[cursor.at] === bracket) return true;
  if (cursor.text[cursor.at] !== ',') return false;
  cursor.at += 1;
  return true;
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ' || cursor.text[cursor.at] === '\n') cursor.at += 1;
}
