import { createRequire } from 'node:module';

import {
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_MEMORY_BYTES,
  MAX_PATTERN_STEPS,
  MAX_PATTERN_SUBJECT_LENGTH,
  MAX_PATTERN_WORK,
  MAX_PATTERNS,
} from '../model/limits.ts';

/** Regular expressions that one skill brings, ready to be looked for together in one pass over a text. */
export interface PatternSet {
  /** The patterns, as written, that are somewhere in the text; of the text `reach` characters are read. */
  findIn(text: string): readonly string[];
  readonly reach: number;
  /** What cannot be used, and why in plain words; the others work without it. */
  readonly refused: readonly RefusedPattern[];
}

export interface RefusedPattern {
  readonly pattern: string;
  readonly reason: string;
}

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  /** Makes the regular expression where a pattern is written in another language. */
  readonly translate?: (pattern: string) => string;
}

/** Never throws. Time and memory are bounded, whatever the patterns and the text: the engine is a linear-time one. */
export function compilePatterns(patterns: readonly string[], options: PatternOptions = {}): PatternSet {
  if (patterns.length === 0) return NO_PATTERNS;
  const { ignoreCase = true, translate } = options;
  const { RE2JS, RE2Set } = loadEngine();
  const set = new RE2Set(RE2Set.UNANCHORED, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0, MAX_PATTERN_MEMORY_BYTES);
  const { admitted, refused, steps } = admitPatterns(patterns, translate);
  const usable: string[] = [];
  const faulty: RefusedPattern[] = [];
  for (const { pattern, expression } of admitted) {
    const reason = addTo(set, expression);
    if (reason === undefined) usable.push(pattern);
    else faulty.push({ pattern, reason });
  }
  const reach = Math.min(MAX_PATTERN_SUBJECT_LENGTH, Math.floor(MAX_PATTERN_WORK / steps));
  return {
    findIn: (text) => set.match(text.slice(0, reach)).flatMap((number) => usable[number] ?? []),
    reach,
    refused: [...faulty, ...refused],
  };
}

const NO_PATTERNS: PatternSet = { findIn: () => [], reach: 0, refused: [] };

const require = createRequire(import.meta.url);

/** Loaded where a pattern is first met: most skills have none. */
function loadEngine(): typeof import('re2js') {
  // `require` is untyped; this is the package of that name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('re2js') as typeof import('re2js');
}

/** Gives the reason where the engine refuses the expression. */
function addTo(set: import('re2js').RE2Set, expression: string): string | undefined {
  const { RE2JSSyntaxException } = loadEngine();
  try {
    set.add(expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return explain(error.getDescription(), error.getPattern() ?? '', expression);
  }
}

function explain(description: string, at: string, expression: string): string {
  if (/^\(\?<?[=!]/.test(at)) return 'it looks ahead or behind, which takes an engine that can hang';
  if (/^\\[1-9k]/.test(at) || (at === '(?P' && expression.includes('(?P=')))
    return 'it refers back to a group, which takes an engine that can hang';
  const isWhole = at === '' || at === `(?i)${expression}`;
  return isWhole ? description : `${description} ${at}`;
}

export interface AdmittedPatterns {
  readonly admitted: readonly { readonly pattern: string; readonly expression: string }[];
  readonly refused: readonly RefusedPattern[];
  /** Of all admitted together. */
  readonly steps: number;
}

/** Which patterns are within the limits; without the engine, so that nothing large is ever built. */
export function admitPatterns(
  patterns: readonly string[],
  translate: (pattern: string) => string = (pattern) => pattern,
): AdmittedPatterns {
  const admitted: { pattern: string; expression: string }[] = [];
  const refused: RefusedPattern[] = [];
  let steps = 0;
  for (const pattern of patterns) {
    const expression = pattern.length > MAX_PATTERN_LENGTH ? '' : translate(pattern);
    const more = countSteps(expression);
    const reason = findExcess(pattern, admitted.length, steps + more);
    if (reason === undefined) {
      admitted.push({ pattern, expression });
      steps += more;
    } else refused.push({ pattern, reason });
  }
  return { admitted, refused, steps };
}

function findExcess(pattern: string, before: number, steps: number): string | undefined {
  if (before >= MAX_PATTERNS) return `a skill may have ${MAX_PATTERNS} of them`;
  if (pattern.length > MAX_PATTERN_LENGTH) return `it may have ${MAX_PATTERN_LENGTH} characters`;
  if (steps > MAX_PATTERN_STEPS)
    return `with repetitions written out, all of a skill together may have ${MAX_PATTERN_STEPS} characters`;
  return undefined;
}

/**
 * How many steps the engine would build, before it does: a repetition `{n}` is n copies of what stands before it.
 * Never less than a third of them, and never less than the length.
 */
export function countSteps(expression: string): number {
  const outer: number[] = [];
  let [sum, last] = [0, 0];
  for (const [token, least, most] of expression.matchAll(TOKEN)) {
    if (NOTHING.test(token)) continue;
    if (token === '(') {
      outer.push(sum);
      [sum, last] = [0, 0];
    } else if (token === ')') {
      last = sum + 2;
      sum = (outer.pop() ?? 0) + last;
    } else if (least !== undefined) {
      const copies = Math.min(Math.max(Number(least), Number(most ?? 0), 1), MAX_COPIES);
      sum += last * (copies - 1);
      last *= copies;
    } else {
      const isSuffix = /^[*+?]$/.test(token);
      last = isSuffix ? last + 1 : token.startsWith('\\Q') ? token.length : 1;
      sum += isSuffix ? 1 : last;
    }
  }
  const all = outer.reduce((total, size) => total + size, sum);
  return Math.max(expression.length, all) + UNICODE_CLASS_STEPS * (expression.match(/\\p/gi)?.length ?? 0);
}

/** What the engine takes as one: a quotation, an escape, flags, a class, a repetition, or any other character. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\.|\(\?[a-zA-Z-]*\)|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** Flags and empty quotations: a repetition after them repeats what stands before them. */
const NOTHING = /^(?:\\E|\\Q(?:\\E)?|\(\?[a-zA-Z-]*\))$/;

/** More is refused by the engine. */
const MAX_COPIES = 1_000;

/** `\pL` and its like take as long to build as this many plain steps. */
const UNICODE_CLASS_STEPS = 10;
