import { join } from 'node:path';

import { listDirectory } from '../../platform/files/files.ts';

/**
 * The files below a folder whose path matches a pattern: one text per part, in which `*` stands for any text. Stops early
 * when it `isLate`.
 */
export function listFiles(
  folder: string,
  patterns: readonly (readonly string[])[],
  isLate: () => boolean,
): readonly string[] {
  const listed = isLate() ? undefined : listDirectory(folder);
  if (listed?.state !== 'listed') return [];
  const tests = patterns.map(([first = '', ...rest]) => ({ matches: toTest(first), rest }));
  return listed.entries.flatMap(({ name, kind }) => {
    const fitting = tests.filter(({ matches }) => matches(name));
    if (fitting.length === 0) return [];
    const path = join(folder, name);
    if (kind === 'file') return fitting.some(({ rest }) => rest.length === 0) ? [path] : [];
    const deeper = fitting.map(({ rest }) => rest).filter((rest) => rest.length > 0);
    return kind === 'other' || deeper.length === 0 ? [] : listFiles(path, deeper, isLate);
  });
}

/** At most one `*`. */
function toTest(pattern: string): (name: string) => boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return (name) => name === pattern;
  return (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}
