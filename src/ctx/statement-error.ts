import { fail, type Failure } from '../model/outcome.ts';

/** Why a text is not a statement. */
export interface StatementError extends Failure {
  readonly code: 'CTX_INVALID';
  /** Offset in the normalised, trimmed text, in UTF-16 units from 0. */
  readonly position: number;
  /** The word at that position, shortened, or `the end`. */
  readonly found: string;
  readonly expected: string;
}

/** The expected text at a position. */
export interface Expectation {
  readonly position: number;
  readonly expected: string;
  /** By default the word at that position. */
  readonly found?: string;
}

export function failAt(text: string, { position, expected, found }: Expectation): StatementError {
  const word = found ?? wordAt(text, position);
  const message = `at position ${position}: found ${word ?? END}, expected ${expected}`;
  return { ...fail('CTX_INVALID', message), code: 'CTX_INVALID', position, found: word ?? END, expected };
}

const END = 'the end';
const MAX_FOUND = 32;
const LINE_BREAK = /^[\n\r]/;

function wordAt(text: string, position: number): string | undefined {
  const rest = text.slice(position, position + 2 * MAX_FOUND);
  if (rest === '') return undefined;
  if (LINE_BREAK.test(rest)) return 'a line break';
  const word = Array.from(/^\s|^\S+/.exec(rest)?.[0] ?? '');
  return word.length > MAX_FOUND ? `${word.slice(0, MAX_FOUND - 1).join('')}…` : word.join('');
}
