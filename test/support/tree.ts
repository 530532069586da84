import { onTestFinished } from 'vitest';

import { makeTemporaryTree, type Link, type Tree } from '../../src/platform/files/temporary-tree.ts';

export { writeTree, type Link, type Tree } from '../../src/platform/files/temporary-tree.ts';
export { skillText } from '../../src/testing.ts';

export function link(target: string): Link {
  return { target };
}

/** Makes a temporary directory with these files and returns its real path; removed after the test. */
export function makeTree(tree: Tree = {}): string {
  const made = makeTemporaryTree(tree);
  onTestFinished(() => made[Symbol.dispose]());
  return made.root;
}
