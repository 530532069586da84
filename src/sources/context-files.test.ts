import { chownSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree } from '../../test/support/tree.ts';
import type { ContextFile } from '../model/context-file.ts';
import { discoverContextFiles, type ContextFileOptions } from './context-files.ts';

/** Those of the tree alone, whatever lies above it on this machine. */
function filesOf(root: string, cwd: string): readonly Pick<ContextFile, 'path' | 'depth'>[] {
  return readAll(root, cwd).map(({ path, depth }) => ({ path, depth }));
}

function readAll(root: string, cwd: string, options?: ContextFileOptions): readonly ContextFile[] {
  return discoverContextFiles(cwd, options).filter(({ path }) => path.startsWith(root));
}

describe('AGENTS.md files', () => {
  test('are found from the working directory upward, nearest first', () => {
    const root = makeTree({ 'AGENTS.md': '', 'a/AGENTS.md': '', 'a/b/c/AGENTS.md': '', 'a/other/AGENTS.md': '' });
    expect(filesOf(root, join(root, 'a/b/c'))).toEqual([
      { path: join(root, 'a/b/c/AGENTS.md'), depth: 0 },
      { path: join(root, 'a/AGENTS.md'), depth: 2 },
      { path: join(root, 'AGENTS.md'), depth: 3 },
    ]);
  });

  test('are found only if they are files of exactly that name', () => {
    const root = makeTree({ 'a/AGENTS.md/': '', 'a/agents.md.txt': '' });
    expect(filesOf(root, join(root, 'a'))).toEqual([]);
  });

  test('are found above a hidden directory, but not in or below it', () => {
    const root = makeTree({ 'AGENTS.md': '', '.hidden/AGENTS.md': '', '.hidden/a/AGENTS.md': '' });
    expect(filesOf(root, join(root, '.hidden/a'))).toEqual([{ path: join(root, 'AGENTS.md'), depth: 2 }]);
  });

  test('are found up to twenty levels and no more', () => {
    const levels = (count: number): string => Array.from({ length: count }, () => 'd').join('/');
    const root = makeTree({ 'AGENTS.md': '', 'd/AGENTS.md': '', [`${levels(20)}/`]: '' });
    expect(filesOf(root, join(root, levels(20)))).toEqual([{ path: join(root, 'd/AGENTS.md'), depth: 19 }]);
    expect(filesOf(root, join(root, levels(19)))).toEqual([
      { path: join(root, 'd/AGENTS.md'), depth: 18 },
      { path: join(root, 'AGENTS.md'), depth: 19 },
    ]);
  });

  test('are found from a relative directory as well', () => {
    const root = makeTree({ 'AGENTS.md': '', 'a/': '' });
    const cwd = relative(process.cwd(), join(root, 'a'));
    expect(filesOf(root, cwd)).toEqual([{ path: join(root, 'AGENTS.md'), depth: 1 }]);
  });
});

test('an AGENTS.md that is a link is found, unless it is dangling', () => {
  const root = makeTree({ 'AGENTS.md': link('CLAUDE.md'), 'CLAUDE.md': '', 'a/AGENTS.md': link('gone.md') });
  expect(filesOf(root, join(root, 'a'))).toEqual([{ path: join(root, 'AGENTS.md'), depth: 1 }]);
});

describe('the text of an AGENTS.md', () => {
  test('has the level project up to the root of the repository, and user above', () => {
    const root = makeTree({ 'AGENTS.md': 'mine', 'repo/.git/': '', 'repo/AGENTS.md': 'ours', 'repo/a/AGENTS.md': 'a' });
    expect(readAll(root, join(root, 'repo/a')).map(({ level, depth, text }) => [level, depth, text])).toEqual([
      ['project', 0, 'a'],
      ['project', 1, 'ours'],
      ['user', 2, 'mine'],
    ]);
  });

  test('is not read through a link that leaves the project, which is reported', () => {
    const root = makeTree({
      'secret.txt': 'password',
      'repo/.git/': '',
      'repo/docs/guide.md': 'Use tabs.',
      'repo/AGENTS.md': link('../secret.txt'),
      'repo/a/AGENTS.md': link('../docs/guide.md'),
    });
    expect(readAll(root, join(root, 'repo/a'))).toMatchObject([
      { depth: 0, text: 'Use tabs.' },
      { depth: 1, text: '', fault: 'it is a link that leaves its project' },
    ]);
  });

  test('is truncated if it is long, and empty if it is not valid UTF-8', () => {
    const root = makeTree({ 'AGENTS.md': 'x'.repeat(40_000), 'a/AGENTS.md': Buffer.from([0xff, 0xfe, 0x00]) });
    expect(readAll(root, join(root, 'a'))).toMatchObject([
      { text: '', fault: 'it is not valid UTF-8' },
      { text: 'x'.repeat(32_768), fault: 'only the first 32768 of its 40000 characters are used' },
    ]);
  });

  test('owned by another user is used only inside the project', ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can give files to another user');
    const root = makeTree({ 'AGENTS.md': 'mine', 'repo/.git/': '', 'repo/AGENTS.md': 'ours' });
    chownSync(join(root, 'AGENTS.md'), 12_345, 12_345);
    chownSync(join(root, 'repo/AGENTS.md'), 12_345, 12_345);
    expect(readAll(root, join(root, 'repo'), { userId: 0 }).map(({ text }) => text)).toEqual(['ours']);
    expect(readAll(root, join(root, 'repo'), { userId: 12_345 }).map(({ text }) => text)).toEqual(['ours', 'mine']);
  });
});
