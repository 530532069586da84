import { join, relative } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree } from '../../test/support/tree.ts';
import { discoverContextFiles, type ContextFile } from './context-files.ts';

/** Those of the tree alone, whatever lies above it on this machine. */
function filesOf(root: string, cwd: string): readonly ContextFile[] {
  return discoverContextFiles(cwd).filter(({ path }) => path.startsWith(root));
}

describe('AGENTS.md files', () => {
  test('from the working directory upward, closest first', () => {
    const root = makeTree({ 'AGENTS.md': '', 'a/AGENTS.md': '', 'a/b/c/AGENTS.md': '', 'a/other/AGENTS.md': '' });
    expect(filesOf(root, join(root, 'a/b/c'))).toEqual([
      { path: join(root, 'a/b/c/AGENTS.md'), depth: 0 },
      { path: join(root, 'a/AGENTS.md'), depth: 2 },
      { path: join(root, 'AGENTS.md'), depth: 3 },
    ]);
  });

  test('none where there is none, and none that is no file', () => {
    const root = makeTree({ 'a/AGENTS.md/': '', 'a/agents.md.txt': '' });
    expect(filesOf(root, join(root, 'a'))).toEqual([]);
  });

  test('none in or below a hidden directory, but those above it', () => {
    const root = makeTree({ 'AGENTS.md': '', '.hidden/AGENTS.md': '', '.hidden/a/AGENTS.md': '' });
    expect(filesOf(root, join(root, '.hidden/a'))).toEqual([{ path: join(root, 'AGENTS.md'), depth: 2 }]);
  });

  test('twenty levels and no more', () => {
    const levels = (count: number): string => Array.from({ length: count }, () => 'd').join('/');
    const root = makeTree({ 'AGENTS.md': '', 'd/AGENTS.md': '', [`${levels(20)}/`]: '' });
    expect(filesOf(root, join(root, levels(20)))).toEqual([{ path: join(root, 'd/AGENTS.md'), depth: 19 }]);
    expect(filesOf(root, join(root, levels(19)))).toEqual([
      { path: join(root, 'd/AGENTS.md'), depth: 18 },
      { path: join(root, 'AGENTS.md'), depth: 19 },
    ]);
  });

  test('of a relative directory are the same', () => {
    const root = makeTree({ 'AGENTS.md': '', 'a/': '' });
    const cwd = relative(process.cwd(), join(root, 'a'));
    expect(filesOf(root, cwd)).toEqual([{ path: join(root, 'AGENTS.md'), depth: 1 }]);
  });
});

test('an AGENTS.md that is a link to another file counts, one that leads nowhere does not', () => {
  const root = makeTree({ 'AGENTS.md': link('CLAUDE.md'), 'CLAUDE.md': '', 'a/AGENTS.md': link('gone.md') });
  const found = discoverContextFiles(join(root, 'a')).filter(({ path }) => path.startsWith(root));
  expect(found).toEqual([{ path: join(root, 'AGENTS.md'), depth: 1 }]);
});
