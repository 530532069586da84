import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { FolderEntry, FolderState, RefusedEntry, SkillFolder } from '../model/folder.ts';
import { MAX_FOLDER_DEPTH, MAX_SKILL_FILES } from '../model/limits.ts';
import { attempt } from './errors.ts';
import { listDirectory, ownerOf, exists, realPath } from './files.ts';
import { readInside } from './inside.ts';

/** A skill's folder on disk, behind the port that the pure code knows. */
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
    files: () => listFiles(realDir),
    read: (file, maxBytes) => readInside(realDir, file, { maxBytes }),
  };
}

function stateOf(dir: string): FolderState {
  if (ownerOf(dir) !== undefined) return 'directory';
  return exists(dir) ? 'not-directory' : 'missing';
}

function listFiles(realDir: string): {
  readonly files: readonly FolderEntry[];
  readonly refused: readonly RefusedEntry[];
} {
  const files: FolderEntry[] = [];
  const refused: RefusedEntry[] = [];
  const pending = [{ path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, depth } = next;
    const listing = listDirectory(join(realDir, path));
    if (listing.state !== 'listed') refused.push({ path, reason: 'cannot be listed' });
    for (const entry of listing.state === 'listed' ? listing.entries : []) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (files.length + refused.length >= MAX_SKILL_FILES) {
        return {
          files,
          refused: [...refused, { path: inner, reason: `there are more than ${MAX_SKILL_FILES} files` }],
        };
      }
      if (entry.kind === 'file') files.push(describeFile(realDir, inner));
      else if (entry.kind !== 'directory')
        refused.push({ path: inner, reason: entry.kind === 'link' ? 'is a link' : 'is not a regular file' });
      else if (depth + 1 < MAX_FOLDER_DEPTH) pending.push({ path: inner, depth: depth + 1 });
      else refused.push({ path: inner, reason: `is nested deeper than ${MAX_FOLDER_DEPTH} levels` });
    }
  }
  return { files, refused };
}

function describeFile(realDir: string, path: string): FolderEntry {
  const stats = attempt(() => lstatSync(join(realDir, path)));
  if ('code' in stats) return { path, size: 0, executable: false };
  return { path, size: stats.value.size, executable: (stats.value.mode & 0o111) !== 0 };
}
