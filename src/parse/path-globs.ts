import { admitPatterns, compilePatterns, type RefusedPattern } from './trigger-patterns.ts';

/** The globs of one skill. */
export interface PathGlobs {
  /** The globs, as written, that fit the path. */
  findFitting(path: string): readonly string[];
}

/**
 * `*` and `?` stay within a folder, `**` crosses them, `[ab]`, `[!ab]` and `{a,b}` choose. A glob without a slash is for
 * the file's name in any folder. A path is relative to the project, or absolute: then a glob fits its end.
 * It may have backslashes. The work grows with the path's length, whatever the globs.
 */
export function compileGlobs(globs: readonly string[]): PathGlobs {
  const set = compilePatterns(globs, { ignoreCase: false, translate: toExpression });
  return {
    findFitting(path) {
      const normal = normalizePath(path);
      return normal.length > set.reach ? [] : set.findIn(normal);
    },
  };
}

/** Globs that are too many or too long to be used. */
export function findRefusedGlobs(globs: readonly string[]): readonly RefusedPattern[] {
  return globs.length === 0 ? [] : admitPatterns(globs, toExpression).refused;
}

function normalizePath(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return /^[A-Za-z]:\//.test(slashed) ? `/${slashed}` : slashed;
}

function toExpression(glob: string): string {
  const own = glob.replace(/^(?:\.\/)+/, '').replace(/[/\\]$/, '/**');
  const isAnchored = /^[/\\]/.test(own);
  const start = isAnchored ? '/?' : /[/\\]/.test(own) ? '(?:/(?:.*/)?)?' : '(?:.*/)?';
  return `(?s)^${start}${translateParts(isAnchored ? own.slice(1) : own)}$`;
}

/** `**` with its slash, stars, an escaped sign, a class, or any other character. */
const GLOB_PART = /(?<![^/\\{,])\*\*[/\\]|\*+|\\[*?[\]{},!]|\[[^\]/\\]+\]|./gsu;

function translateParts(glob: string): string {
  const hasBraces = isBalanced(glob);
  let depth = 0;
  return glob.replaceAll(GLOB_PART, (part) => {
    if (hasBraces && part === '{') depth += 1;
    else if (hasBraces && part === '}') depth -= 1;
    else return depth > 0 && part === ',' ? '|' : translatePart(part);
    return part === '{' ? '(?:' : ')';
  });
}

function isBalanced(glob: string): boolean {
  let depth = 0;
  for (const [part] of glob.matchAll(GLOB_PART)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function translatePart(part: string): string {
  if (/^\*\*[/\\]$/.test(part)) return '(?:.*/)?';
  if (part === '*') return '[^/]*';
  if (part.startsWith('*')) return '.*';
  if (part === '?') return '[^/]';
  if (part === '\\') return '/';
  if (part.length > 1 && part.startsWith('[')) return translateClass(part.slice(1, -1));
  return escape(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
}

function translateClass(members: string): string {
  const isNegated = /^[!^]./su.test(members);
  const ranges = (isNegated ? members.slice(1) : members).replaceAll(RANGE, (member, from: string, to: string) =>
    isRange(from, to) ? `${escape(from)}-${escape(to)}` : escape(member),
  );
  return isNegated ? `[^/${ranges}]` : `[${ranges}]`;
}

const RANGE = /(.)-(.)|./gsu;

function isRange(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && to !== undefined && (from.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0);
}

function escape(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
