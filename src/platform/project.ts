import { dirname, join } from 'node:path';

import { exists } from './files/files.ts';

/**
 * The directories whose project folders count, closest first: the working directory and its parents up to the
 * repository's root. Outside a repository only the working directory counts.
 */
export function projectDirectories(cwd: string): readonly string[] {
  const directories = [cwd];
  for (let dir = cwd; !exists(join(dir, '.git'));) {
    const parent = dirname(dir);
    if (parent === dir) return [cwd];
    directories.push(parent);
    dir = parent;
  }
  return directories;
}
