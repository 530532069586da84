import { dirname, join } from 'node:path';

import { exists } from '../../platform/files/files.ts';

/**
 * The working directory and its parents, closest first, up to the root of the repository; without a repository, up to the
 * root of the file system. `stop` and what lies above it are left out.
 */
export function upwardFrom(cwd: string, stop?: string): readonly string[] {
  const chain: string[] = [];
  for (let dir = cwd; dir !== stop; dir = dirname(dir)) {
    chain.push(dir);
    if (exists(join(dir, '.git')) || dirname(dir) === dir) break;
  }
  return chain;
}
