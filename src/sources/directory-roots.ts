import { basename, resolve } from 'node:path';

import type { SourceRoot } from '../model/source.ts';
import { expandPath, type Environment } from '../platform/environment.ts';
import { customSource } from './table.ts';

/** Source roots for directories that a caller names. The first has the highest precedence. */
export function directoryRoots(
  dirs: readonly string[],
  environment: Environment,
  idOf: (index: number) => string = (index) => `custom:${index}`,
): readonly SourceRoot[] {
  return dirs.map((dir, index) => {
    const expanded = expandPath(dir, environment, environment.cwd);
    const path = expanded.ok ? expanded.path : resolve(environment.cwd, dir);
    const source = { ...customSource(index, 'user'), id: idOf(index), group: basename(path) };
    return { ...source, path, ordinal: index, boundary: undefined };
  });
}
