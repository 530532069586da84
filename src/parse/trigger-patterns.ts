import {
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_MEMORY_BYTES,
  MAX_PATTERN_STEPS,
  MAX_PATTERN_SUBJECT_LENGTH,
  MAX_PATTERN_WORK,
  MAX_PATTERNS,
} from '../model/limits.ts';
import { loadRe2 } from './lazy-packages.cjs';
import type { StepBudget } from './step-budget.ts';

/** The regular expressions of one skill, matched together in one pass over a text. */
export interface PatternSet {
  /** The patterns, as written, that occur in the first `reach` characters of the text, or in fewer if so asked. */
  findIn(text: string, reach?: number): readonly string[];
  readonly reach: number;
  /** Work for each character. */
  readonly steps: number;
  /** Patterns that cannot be used; the others work without them. */
  readonly refused: readonly RefusedPattern[];
}

export interface RefusedPattern {
  readonly pattern: string;
  readonly reason: string;
}

/**
 * Compiles patterns, ignoring case. Never throws; a linear-time engine bounds time and memory for any input. Compiles none
 * if the budget does not suffice.
 */
export function compilePatterns(patterns: readonly string[], budget?: StepBudget): PatternSet {
  if (patterns.length === 0) return NO_PATTERNS;
  const { admitted, refused, steps } = admitPatterns(patterns);
  if (budget?.spend(steps) === false) return NO_PATTERNS;
  const { RE2JS, RE2Set } = loadRe2();
  const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, MAX_PATTERN_MEMORY_BYTES);
  const usable: string[] = [];
  const faulty: RefusedPattern[] = [];
  for (const pattern of admitted) {
    const reason = addTo(set, pattern);
    if (reason === undefined) usable.push(pattern);
    else faulty.push({ pattern, reason });
  }
  const reach = Math.min(MAX_PATTERN_SUBJECT_LENGTH, Math.floor(MAX_PATTERN_WORK / steps));
  return {
    findIn: (text, most = reach) =>
      set.match(text.slice(0, Math.min(reach, most))).flatMap((number) => usable[number] ?? []),
    reach,
    steps,
    refused: [...faulty, ...refused],
  };
}

const NO_PATTERNS: PatternSet = { findIn: () => [], reach: 0, steps: 0, refused: [] };

/** The reason if the engine refuses the pattern. */
function addTo(set: import('re2js').RE2Set, pattern: string): string | undefined {
  const { RE2JSSyntaxException } = loadRe2();
  try {
    set.add(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return explain(error.getDescription(), error.getPattern() ?? '', pattern);
  }
}

function explain(description: string, at: string, pattern: string): string {
  if (/^\(\?<?[=!]/.test(at)) return 'lookahead and lookbehind are not supported, because they can hang';
  if (/^\\[1-9k]/.test(at) || (at === '(?P' && pattern.includes('(?P=')))
    return 'backreferences are not supported, because they can hang';
  const isWhole = at === '' || at === `(?i)${pattern}`;
  return isWhole ? description : `${description} ${at}`;
}

/** The steps of all patterns that are within the limits. */
export function countAllSteps(patterns: readonly string[]): number {
  return admitPatterns(patterns).steps;
}

interface AdmittedPatterns {
  readonly admitted: readonly string[];
  readonly refused: readonly RefusedPattern[];
  /** The sum over all admitted patterns. */
  readonly steps: number;
}

/** Applies the limits before the engine sees a pattern, so that nothing large is built. */
function admitPatterns(patterns: readonly string[]): AdmittedPatterns {
  const admitted: string[] = [];
  const refused: RefusedPattern[] = [];
  let steps = 0;
  for (const pattern of patterns) {
    const isExcess = admitted.length >= MAX_PATTERNS || pattern.length > MAX_PATTERN_LENGTH;
    const more = isExcess ? 0 : countSteps(pattern);
    const reason = findExcess(pattern, admitted.length, steps + more);
    if (reason === undefined) {
      admitted.push(pattern);
      steps += more;
    } else refused.push({ pattern, reason });
  }
  return { admitted, refused, steps };
}

function findExcess(pattern: string, before: number, steps: number): string | undefined {
  if (before >= MAX_PATTERNS) return `a skill may have at most ${MAX_PATTERNS} of them`;
  if (pattern.length > MAX_PATTERN_LENGTH) return `it may have at most ${MAX_PATTERN_LENGTH} characters`;
  if (steps > MAX_PATTERN_STEPS)
    return `with repetitions written out, all patterns of a skill together may have at most ${MAX_PATTERN_STEPS} characters`;
  return undefined;
}

/**
 * Estimates how many steps the engine would build for a pattern, where a repetition `{n}` means n copies. At least a third
 * of the true number, and at least the length of the pattern.
 */
export function countSteps(pattern: string): number {
  const outer: number[] = [];
  let [sum, last] = [0, 0];
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
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
  return Math.max(pattern.length, all) + UNICODE_CLASS_STEPS * (pattern.match(/\\p/gi)?.length ?? 0);
}

/** One token of a pattern: a quotation, an escape, flags, a class, a repetition, or any other character. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\.|\(\?[a-zA-Z-]*\)|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** Flags and empty quotations; a repetition after them applies to the token before them. */
const NOTHING = /^(?:\\E|\\Q(?:\\E)?|\(\?[a-zA-Z-]*\))$/;

/** The engine refuses more. */
const MAX_COPIES = 1_000;

/** `\pL` and the like take as long to build as this many plain steps. */
const UNICODE_CLASS_STEPS = 10;
