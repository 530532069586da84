import { MAX_PATTERN_LENGTH, MAX_PATTERN_SUBJECT_LENGTH, MAX_PATTERN_WORK, MAX_PATTERNS } from '../model/limits.ts';
import type { RefusedPattern } from './trigger-patterns.ts';

const GLOB_SIGNS = /[*?[{\\]/;

/** Does this have signs of a glob? It may still be the name of a skill. */
export function isGlob(pattern: string): boolean {
  return GLOB_SIGNS.test(pattern);
}

/**
 * Finds the first of these names and globs that matches the whole name. `*` is any text, `?` any character, `[a-z]` one
 * of a set, `[!a-z]` one outside it, `{a,b}` one of several; a backslash makes the next sign literal. Globs may be
 * hostile: the time grows with the length of the name times the length of the glob, never faster.
 */
export function findMatch(name: string, patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => {
    const sign = pattern.search(GLOB_SIGNS);
    if (sign === -1 || !name.startsWith(pattern.slice(0, sign))) return pattern === name;
    return pattern === name || compileGlob(pattern, NAME).matches(name);
  });
}

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
  const compiled = applyLimits(globs).admitted.map((glob) => ({ glob, matcher: compilePathGlob(glob) }));
  const length = compiled.reduce((sum, { glob }) => sum + glob.length, 1);
  const reach = Math.min(MAX_PATTERN_SUBJECT_LENGTH, Math.floor(MAX_PATTERN_WORK / length));
  return {
    findFitting(path) {
      const normal = normalizePath(path);
      if (normal.length > reach) return [];
      return compiled.filter(({ matcher }) => matcher.matches(normal)).map(({ glob }) => glob);
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

function compilePathGlob(glob: string): Matcher {
  const own = glob.replace(/^(?:\.\/)+/, '').replace(/[/\\]$/, '/**');
  const matcher = new Matcher();
  if (/^[/\\]/.test(own)) {
    matcher.optional(() => matcher.one(isSlash));
    return compileGlob(own.slice(1), { ...PATH, matcher });
  }
  if (!/[/\\]/.test(own)) addFolders(matcher);
  else
    matcher.optional(() => {
      matcher.one(isSlash);
      addFolders(matcher);
    });
  return compileGlob(own, { ...PATH, matcher });
}

type Test = (character: string) => boolean;

const isAny: Test = () => true;
const isSlash: Test = (character) => character === '/';
const isInFolder: Test = (character) => character !== '/';

interface GlobOptions {
  /** The characters that `*`, `?` and `[!…]` may match. */
  readonly wild: Test;
  readonly backslash: string;
  /** Adds to this matcher instead of a new one. */
  readonly matcher?: Matcher;
}

const NAME: GlobOptions = { wild: isAny, backslash: '\\' };
const PATH: GlobOptions = { wild: isInFolder, backslash: '/' };

/** Any number of folders, each with its slash. */
function addFolders(matcher: Matcher): void {
  matcher.optional(() => {
    matcher.many(isAny);
    matcher.one(isSlash);
  });
}

/** `**` with its slash, stars, an escaped sign, a set, or any other character. */
const PART = /(?<![^/\\{,])\*\*[/\\]|\*+|\\[*?[\]{},!]|\[[^\]/\\]+\]|./gsu;

function compileGlob(glob: string, { wild, backslash, matcher = new Matcher() }: GlobOptions): Matcher {
  const parts = glob.match(PART) ?? [];
  const braces = findBraces(parts);
  for (const [index, part] of parts.entries()) {
    if (braces.has(index)) addBrace(matcher, part);
    else if (/^\*\*[/\\]$/.test(part)) addFolders(matcher);
    else if (part.startsWith('*')) matcher.many(part === '*' ? wild : isAny);
    else if (part === '?') matcher.one(wild);
    else if (part.length > 2 && part.startsWith('[')) matcher.one(toSet(part.slice(1, -1), wild));
    else {
      const plain = part === '\\' ? backslash : part.replace(/^\\/, '');
      matcher.one((character) => character === plain);
    }
  }
  return matcher;
}

/** The positions of braces and commas that form a choice. Braces without a partner or a comma are literal. */
function findBraces(parts: readonly string[]): ReadonlySet<number> {
  const open: number[][] = [];
  const braces = new Set<number>();
  for (const [index, part] of parts.entries()) {
    if (part === '{') open.push([index]);
    if (part === ',') open.at(-1)?.push(index);
    const choice = part === '}' ? (open.pop() ?? []) : [];
    if (choice.length > 1) for (const at of [...choice, index]) braces.add(at);
  }
  return braces;
}

function addBrace(matcher: Matcher, part: string): void {
  if (part === '{') matcher.openChoice();
  else if (part === ',') matcher.nextChoice();
  else matcher.closeChoice();
}

function toSet(members: string, wild: Test): Test {
  const isNegated = /^[!^]./su.test(members);
  const ranges = ((isNegated ? members.slice(1) : members).match(/.-.|./gsu) ?? []).flatMap(toRanges);
  return (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isMember = ranges.some(([from, to]) => code >= from && code <= to);
    return isNegated ? !isMember && wild(character) : isMember;
  };
}

/** A single character, or `a-z`: a range, or three literal characters if the range would be empty. */
function toRanges(member: string): readonly (readonly [from: number, to: number])[] {
  const codes = Array.from(member, (character) => character.codePointAt(0) ?? 0);
  const [from = 0, , to = from] = codes;
  return from <= to ? [[from, to]] : codes.map((code) => [code, code]);
}

/** Takes one character and leads to the next step, or takes none and leads to other steps. */
type Step = { readonly test: Test } | { readonly to: number[] };

/** An automaton that follows all branches at once, so that it reads each character only once. */
class Matcher {
  readonly #steps: Step[] = [];
  readonly #choices: { readonly fork: number[]; readonly ends: number[][] }[] = [];

  one(test: Test): void {
    this.#steps.push({ test });
  }

  many(test: Test): void {
    const start = this.#steps.length;
    this.optional(() => {
      this.one(test);
      this.#jump().push(start);
    });
  }

  optional(add: () => void): void {
    const fork = this.#jump();
    fork.push(this.#steps.length);
    add();
    fork.push(this.#steps.length);
  }

  openChoice(): void {
    const fork = this.#jump();
    fork.push(this.#steps.length);
    this.#choices.push({ fork, ends: [] });
  }

  nextChoice(): void {
    const choice = this.#choices.at(-1);
    choice?.ends.push(this.#jump());
    choice?.fork.push(this.#steps.length);
  }

  closeChoice(): void {
    for (const end of this.#choices.pop()?.ends ?? []) end.push(this.#steps.length);
  }

  /** Does the whole text match? */
  matches(text: string): boolean {
    const seen = new Uint32Array(this.#steps.length + 1);
    let round = 1;
    let active = this.#follow([0], seen, round);
    for (const character of text) {
      if (active.length === 0) return false;
      const next: number[] = [];
      for (const at of active) if (this.#takes(at, character)) next.push(at + 1);
      round += 1;
      active = this.#follow(next, seen, round);
    }
    return seen[this.#steps.length] === round;
  }

  #takes(at: number, character: string): boolean {
    const step = this.#steps[at];
    return step !== undefined && 'test' in step && step.test(character);
  }

  /** All steps that are reached from these without taking a character; `seen` marks them with the round. */
  #follow(from: number[], seen: Uint32Array, round: number): readonly number[] {
    const reached: number[] = [];
    for (let at = from.pop(); at !== undefined; at = from.pop()) {
      if (seen[at] === round) continue;
      seen[at] = round;
      const step = this.#steps[at];
      if (step === undefined || 'test' in step) reached.push(at);
      else for (const to of step.to) from.push(to);
    }
    return reached;
  }

  #jump(): number[] {
    const to: number[] = [];
    this.#steps.push({ to });
    return to;
  }
}
