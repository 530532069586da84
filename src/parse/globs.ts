import {
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_MEMORY_BYTES,
  MAX_PATTERN_SUBJECT_LENGTH,
  MAX_PATTERN_WORK,
  MAX_PATTERNS,
} from '../model/limits.ts';
import { rememberTexts } from '../model/once.ts';
import { loadRe2 } from './lazy-packages.cjs';
import type { RefusedPattern } from './trigger-patterns.ts';

const GLOB_SIGNS = /[*?[{\\]/;

/** Does this have signs of a glob? It may still be the name of a skill. */
export function isGlob(pattern: string): boolean {
  return GLOB_SIGNS.test(pattern);
}

/**
 * Finds the first of these names and globs that matches the whole name. `*` is any text, `?` any character, `[a-z]` one
 * of a set, `[!a-z]` one outside it, `{a,b}` one of several; a backslash makes the next sign literal. Globs may be
 * hostile: they become patterns of RE2, which takes linear time for any of them.
 */
export function findMatch(name: string, patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => pattern === name || (isGlob(pattern) && compileName(pattern).testExact(name)));
}

/** A configuration has few globs, and each is matched with every skill. */
const compileName = rememberTexts(100, (glob) => {
  const { RE2JS } = loadRe2();
  return RE2JS.compile(toRegExp(glob, NAME), RE2JS.DOTALL);
});

/** The globs of one skill, to be matched against file paths. */
export interface PathGlobs {
  /** The globs, as written, that match the path; none for a path that is too long. */
  findFitting(path: string): readonly string[];
}

/**
 * Compiles globs as in `findMatch`, except that `*` and `?` stay within a folder and `**` crosses folders. A glob without
 * a slash matches the file's name in any folder. A path is relative to the project, or absolute: then a glob matches its
 * end. It may have backslashes. Globs beyond the limits are left out.
 */
export function compileGlobs(globs: readonly string[]): PathGlobs {
  const { admitted } = applyLimits(globs);
  const { RE2JS, RE2Set } = loadRe2();
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, RE2JS.DOTALL, MAX_PATTERN_MEMORY_BYTES);
  for (const glob of admitted) set.add(toPathRegExp(glob));
  const length = admitted.reduce((sum, glob) => sum + glob.length, 1);
  const reach = Math.min(MAX_PATTERN_SUBJECT_LENGTH, Math.floor(MAX_PATTERN_WORK / length));
  return {
    findFitting(path) {
      const normal = normalizePath(path);
      return normal.length > reach ? [] : set.match(normal).flatMap((number) => admitted[number] ?? []);
    },
  };
}

/** The globs beyond the limits, with the reasons. */
export function findRefusedGlobs(globs: readonly string[]): readonly RefusedPattern[] {
  return applyLimits(globs).refused;
}

interface LimitedGlobs {
  readonly admitted: readonly string[];
  readonly refused: readonly RefusedPattern[];
}

function applyLimits(globs: readonly string[]): LimitedGlobs {
  const admitted: string[] = [];
  const refused: RefusedPattern[] = [];
  for (const pattern of globs) {
    if (pattern.length > MAX_PATTERN_LENGTH)
      refused.push({ pattern, reason: `it may have at most ${MAX_PATTERN_LENGTH} characters` });
    else if (admitted.length >= MAX_PATTERNS)
      refused.push({ pattern, reason: `a skill may have at most ${MAX_PATTERNS} of them` });
    else admitted.push(pattern);
  }
  return { admitted, refused };
}

function normalizePath(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return /^[A-Za-z]:\//.test(slashed) ? `/${slashed}` : slashed;
}

/** The signs of a pattern that differ between names and paths. */
interface Dialect {
  /** A character that `*`, `?` and `[!…]` may match, and the beginning of a set of all others. */
  readonly wild: string;
  readonly outside: string;
  /** The character escaped by a single backslash. */
  readonly backslash: string;
}

const NAME: Dialect = { wild: '.', outside: '[^', backslash: '\\' };
const PATH: Dialect = { wild: '[^/]', outside: '[^/', backslash: '/' };

/** Any number of folders, each with its slash. */
const FOLDERS = '(?:.*/)?';

function toPathRegExp(glob: string): string {
  const own = glob.replace(/^(?:\.\/)+/, '').replace(/[/\\]$/, '/**');
  if (/^[/\\]/.test(own)) return `/?${toRegExp(own.slice(1), PATH)}`;
  const before = /[/\\]/.test(own) ? `(?:/${FOLDERS})?` : FOLDERS;
  return `${before}${toRegExp(own, PATH)}`;
}

/** `**` with its slash, stars, an escaped sign, a set, or any other character. */
const PART = /(?<![^/\\{,])\*\*[/\\]|\*+|\\[*?[\]{},!]|\[[^\]/\\]+\]|./gsu;

function toRegExp(glob: string, { wild, outside, backslash }: Dialect): string {
  const parts = glob.match(PART) ?? [];
  const choices = findChoices(parts);
  const patterns = parts.map((part, index) => {
    const choice = choices.get(index);
    if (choice !== undefined) return choice;
    if (/^\*\*[/\\]$/.test(part)) return FOLDERS;
    if (part.startsWith('*')) return part === '*' ? `${wild}*` : '.*';
    if (part === '?') return wild;
    if (part.length > 2 && part.startsWith('[')) return toSet(part.slice(1, -1), outside);
    return quote(part === '\\' ? backslash : part.replace(/^\\/, ''));
  });
  return patterns.join('');
}

/** Braces and commas that form a choice, by position. Braces without a partner or a comma are literal. */
function findChoices(parts: readonly string[]): ReadonlyMap<number, string> {
  const open: number[][] = [];
  const choices = new Map<number, string>();
  for (const [index, part] of parts.entries()) {
    if (part === '{') open.push([index]);
    if (part === ',') open.at(-1)?.push(index);
    const [brace = -1, ...commas] = part === '}' ? (open.pop() ?? []) : [];
    // RE2 refuses patterns that nest deeper than a thousand levels.
    if (commas.length === 0 || open.length > MAX_NESTING) continue;
    choices.set(brace, '(?:').set(index, ')');
    for (const comma of commas) choices.set(comma, '|');
  }
  return choices;
}

const MAX_NESTING = 64;

function toSet(members: string, outside: string): string {
  const isNegated = /^[!^]./su.test(members);
  const items = ((isNegated ? members.slice(1) : members).match(/.-.|./gsu) ?? []).map(toRange);
  return `${isNegated ? outside : '['}${items.join('')}]`;
}

/** A single character, or `a-z`: a range, or three literal characters if the range would be empty. */
function toRange(member: string): string {
  const characters = Array.from(member);
  const [from = 0, , to = from] = characters.map((character) => character.codePointAt(0) ?? 0);
  const [first = '', dash = '', last = ''] = characters.map(quote);
  return last !== '' && from <= to ? `${first}-${last}` : `${first}${dash}${last}`;
}

/** Makes a character literal, also inside a set. */
function quote(character: string): string {
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
