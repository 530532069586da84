import { dirname, join } from 'node:path';

import { exists, readOwnText, realPath } from './files/files.ts';

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

/** The root of the project that a directory is in, without links. */
export function projectRoot(cwd: string): string {
  return realPath(projectDirectories(cwd).at(-1) ?? cwd) ?? cwd;
}

/** Does git check the links of a repository out as links? Not if its settings have `core.symlinks = false`, as often on Windows. */
export function keepsLinks(root: string): boolean {
  const read = readOwnText(join(root, '.git', 'config'));
  const [, core = ''] = /^\s*\[core\]([^[]*)/im.exec(read.ok ? (read.text ?? '') : '') ?? [];
  return !/^\s*symlinks\s*=\s*(?:false|no|off|0)\s*$/im.test(core);
}
