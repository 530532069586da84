import { join } from 'node:path';

import type { HostRoot } from './host-skill.ts';

/** The same folder in each of these directories of the project. */
export function projectRoots(
  directories: readonly string[],
  folder: string,
  use: HostRoot['use'],
): readonly HostRoot[] {
  return directories.map((dir) => ({ path: join(dir, folder), level: 'project', use }));
}
