import { resolve } from 'node:path';

import type { FolderState, SkillFolder } from '../../model/folder.ts';
import { listDirectory, ownerOf, exists, realPath } from './files.ts';
import { readInside } from './inside.ts';
import { listInside } from './list-inside.ts';

/** Opens a skill's folder on disk. */
export function openSkillFolder(path: string): SkillFolder {
  const dir = resolve(path);
  const realDir = realPath(dir) ?? dir;
  return {
    dir,
    state: () => stateOf(dir),
    names() {
      const listing = listDirectory(realDir);
      return listing.state === 'listed' ? listing.entries.map((entry) => entry.name) : [];
    },
    files: () => listInside(realDir),
    read: (file, maxBytes) => readInside(realDir, file, { maxBytes }),
  };
}

function stateOf(dir: string): FolderState {
  if (ownerOf(dir) !== undefined) return 'directory';
  return exists(dir) ? 'not-directory' : 'missing';
}
