import { fail, type Failure } from '../model/outcome.ts';

/** Why a text is no statement. */
export interface StatementError extends Failure {
  readonly code: 'CTX_INVALID';
  /** Where, in the normalised and trimmed text, counted in UTF-16 units from 0. */
  readonly position: number;
  /** What stands there: its beginning, or `the end`. */
  readonly found: string;
  readonly expected: string;
}

/** Where in a text something other than this was expected. */
export interface Expectation {
  readonly position: number;
  readonly expected: string;
  /** By default the word that stands there. */
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
