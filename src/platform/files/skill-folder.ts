import { resolve } from 'node:path';

import type { FolderState, SkillFolder } from '../../model/folder.ts';
import { listDirectory, ownerOf, exists, realPath } from './files.ts';
import { readInside, type ReadOptions } from './inside.ts';
import { listInside } from './list-inside.ts';

/** Opens a skill's folder on disk. */
export function openSkillFolder(path: string): SkillFolder {
  const dir = resolve(path);
  return openRealFolder(realPath(dir) ?? dir, { dir });
}

export interface RealFolderOptions extends Pick<ReadOptions, 'refuseHardLinks'> {
  /** The path that led to it; its own by default. */
  readonly dir?: string;
}

/** Opens a folder whose path was resolved before. If it has become a link since, nothing behind the link is read. */
export function openRealFolder(
  realDir: string,
  { dir = realDir, refuseHardLinks }: RealFolderOptions = {},
): SkillFolder {
  return {
    dir,
    state: () => stateOf(dir),
    names() {
      const listing = listDirectory(realDir);
      return listing.state === 'listed' ? listing.entries.map((entry) => entry.name) : [];
    },
    files: (options) => listInside(realDir, options),
    read: (file, maxBytes) => readInside(realDir, file, { maxBytes, refuseHardLinks }),
  };
}

function stateOf(dir: string): FolderState {
  if (ownerOf(dir) !== undefined) return 'directory';
  return exists(dir) ? 'not-directory' : 'missing';
}
