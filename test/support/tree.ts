import { onTestFinished } from 'vitest';

import { makeTemporaryTree, type Link, type Tree } from '../../src/platform/files/temporary-tree.ts';

export { writeTree, type Link, type Tree } from '../../src/platform/files/temporary-tree.ts';
export { skillText } from '../../src/testing.ts';

export function link(target: string): Link {
  return { target };
}

/** A temporary directory (its real path) with these files; gone when the test is. */
export function makeTree(tree: Tree = {}): string {
  const made = makeTemporaryTree(tree);
  onTestFinished(() => made[Symbol.dispose]());
  return made.root;
}
