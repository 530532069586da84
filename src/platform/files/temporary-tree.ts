import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { removeTree } from './remove-tree.ts';

/** A link in a tree: `{ target: '../elsewhere' }`. */
export interface Link {
  readonly target: string;
}

/**
 * Files by path: text, bytes, or a link. A path that ends in `/` is an empty directory. Text that begins with `#!` is
 * executable.
 */
export type Tree = Readonly<Record<string, string | Uint8Array | Link>>;

export interface TemporaryTree extends Disposable {
  /** Its real path. */
  readonly root: string;
}

/** A temporary directory with these files; disposing removes it. */
export function makeTemporaryTree(tree: Tree): TemporaryTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skillplane-test-')));
  writeTree(root, tree);
  const remove = (): void => {
    const removed = removeTree(root);
    if (!removed.ok) throw new Error(`${root} could not be removed: ${removed.message}`);
  };
  return { root, [Symbol.dispose]: remove };
}

export function writeTree(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const full = join(root, path);
    if (path.endsWith('/')) {
      mkdirSync(full, { recursive: true });
      continue;
    }
    mkdirSync(dirname(full), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(full, content);
    else symlinkSync(content.target, full);
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(full, 0o755);
  }
}
