import { createRequire } from 'node:module';

/** The first of `patterns` (names or globs) that fits; undefined where none does. */
export function findMatch(name: string, patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => pattern === name || (isGlob(pattern) && fits(name, pattern)));
}

function isGlob(pattern: string): boolean {
  return /[*?[\]{}()!+@]/.test(pattern);
}

/** Loaded where a glob is met: most configurations have none. */
function fits(name: string, pattern: string): boolean {
  // `require` is untyped; this is the package of that name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const picomatch = createRequire(import.meta.url)('picomatch') as typeof import('picomatch');
  return picomatch.isMatch(name, pattern, { dot: true });
}
