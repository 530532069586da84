import type { FilterSign } from './operation-table.ts';
import { failAt, type StatementError } from './statement-error.ts';
import { KEY_PATTERN } from './statement.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TextToken extends Span {
  readonly kind: 'word' | 'quoted';
  readonly value: string;
}

export interface FilterToken extends Span {
  readonly kind: 'filter';
  readonly sign: FilterSign;
  readonly value: string;
}

export interface PairToken extends Span {
  readonly kind: 'pair';
  readonly key: string;
  readonly value: string;
  readonly valueStart: number;
}

/** A piece of a statement between spaces. */
export type Token = TextToken | FilterToken | PairToken;

export type TokenOutcome = { readonly ok: true; readonly token: Token } | StatementError;

/** Reads the token that starts at `start`, which must not be a space. */
export function nextToken(text: string, start: number): TokenOutcome {
  const read = readPiece(text, start);
  if (!read.ok) return read;
  const { end } = read.token;
  if (end === text.length || isSpaceAt(text, end)) return read;
  return failAt(text, {
    position: end,
    expected: 'a space; put quotation marks around a whole text that contains spaces or quotation marks',
  });
}

/** The first offset from `at` on that is not a space. Line breaks do not count as spaces: a statement is one line. */
export function skipSpaces(text: string, at: number): number {
  let next = at;
  while (isSpaceAt(text, next)) next += 1;
  return next;
}

export function isSpaceAt(text: string, at: number): boolean {
  return /^[^\S\n\r]$/.test(text.charAt(at));
}

function readPiece(text: string, start: number): TokenOutcome {
  if (text[start] === '"') {
    const quoted = readQuoted(text, start);
    return quoted.ok ? { ok: true, token: { ...quoted, kind: 'quoted', start } } : quoted;
  }
  const word = wordFrom(text, start);
  const end = start + word.length;
  const sign = FILTER_SIGNS.find((candidate) => word.startsWith(candidate));
  if (sign !== undefined) return { ok: true, token: { kind: 'filter', sign, value: word.slice(1), start, end } };
  const equals = word.indexOf('=');
  if (equals === -1 || !KEY_PATTERN.test(word.slice(0, equals))) {
    if (word === '') return failAt(text, { position: start, expected: 'a space or the end' });
    return { ok: true, token: { kind: 'word', value: word, start, end } };
  }
  const pair = { kind: 'pair', key: word.slice(0, equals), start, valueStart: start + equals + 1 } as const;
  if (equals < word.length - 1) return { ok: true, token: { ...pair, value: word.slice(equals + 1), end } };
  if (text[end] !== '"') return failAt(text, { position: end, expected: `a value for ${pair.key}` });
  const quoted = readQuoted(text, end);
  return quoted.ok ? { ok: true, token: { ...pair, value: quoted.value, end: quoted.end } } : quoted;
}

const FILTER_SIGNS: readonly FilterSign[] = ['#', '@', '^'];

function wordFrom(text: string, start: number): string {
  const pattern = /[^\s"]*/y;
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? '';
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['n', '\n'],
  ['t', '\t'],
]);

type QuotedOutcome = { readonly ok: true; readonly value: string; readonly end: number } | StatementError;

function readQuoted(text: string, start: number): QuotedOutcome {
  const special = /["\\]/g;
  let value = '';
  for (let from = start + 1; ;) {
    special.lastIndex = from;
    const at = special.exec(text)?.index;
    if (at === undefined)
      return failAt(text, { position: text.length, expected: `the closing " of the text that starts at ${start}` });
    value += text.slice(from, at);
    if (text[at] === '"') return { ok: true, value, end: at + 1 };
    const escaped = ESCAPES.get(text.charAt(at + 1));
    if (escaped === undefined)
      return failAt(text, { position: at, expected: String.raw`one of the escapes \" \\ \n \t` });
    value += escaped;
    from = at + 2;
  }
}
