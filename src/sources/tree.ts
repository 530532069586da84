import { join } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_TREE_DEPTH, MAX_TREE_DIRECTORIES } from '../model/limits.ts';
import type { SourceRoot } from '../model/source.ts';
import { listDirectory } from '../platform/files/files.ts';

export interface ExpandedTree {
  readonly roots: readonly SourceRoot[];
  /** Every folder that was searched: a new root would appear in one of them. */
  readonly folders: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the folders named `skills` below a tree of plugins; each is a root. The depth of the walk is limited. */
export function expandTree(tree: SourceRoot): ExpandedTree {
  const roots: SourceRoot[] = [];
  const folders: string[] = [];
  const pending = [{ path: tree.path, depth: 0 }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (folders.length === MAX_TREE_DIRECTORIES) return { roots, folders, diagnostics: [limitReached(tree)] };
    const { path, depth } = next;
    folders.push(path);
    const listing = listDirectory(path);
    if (path === tree.path && (listing.state === 'not-directory' || listing.state === 'unreadable')) {
      return { roots, folders, diagnostics: [unreadable(tree)] };
    }
    for (const entry of listing.state === 'listed' ? listing.entries : []) {
      if (entry.kind !== 'directory' || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const inner = join(path, entry.name);
      if (entry.name === 'skills') roots.push({ ...tree, layout: 'skills', path: inner, ordinal: roots.length });
      else if (depth + 1 < MAX_TREE_DEPTH) pending.push({ path: inner, depth: depth + 1 });
    }
  }
  return { roots, folders, diagnostics: [] };
}

function unreadable({ path }: SourceRoot): Diagnostic {
  return { code: 'SOURCE_UNREADABLE', severity: 'warning', path, message: 'the folder cannot be listed' };
}

function limitReached(tree: SourceRoot): Diagnostic {
  const message = `only the first ${MAX_TREE_DIRECTORIES} folders were searched for skills`;
  return { code: 'SCAN_LIMIT', severity: 'warning', path: tree.path, message };
}
