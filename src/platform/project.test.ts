import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { projectDirectories } from './project.ts';

test('from the working directory up to the root of the repository, closest first', () => {
  const root = makeTree({ 'repo/.git/': '', 'repo/packages/app/': '' });
  const repo = join(root, 'repo');
  expect(projectDirectories(join(repo, 'packages/app'))).toEqual([
    join(repo, 'packages/app'),
    join(repo, 'packages'),
    repo,
  ]);
});

test('the closest repository counts, and nothing above it', () => {
  const root = makeTree({ '.git/': '', 'inner/.git/': '', 'inner/sub/': '' });
  expect(projectDirectories(join(root, 'inner/sub'))).toEqual([join(root, 'inner/sub'), join(root, 'inner')]);
  expect(projectDirectories(join(root, 'inner'))).toEqual([join(root, 'inner')]);
});

test('a worktree, whose .git is a file, is a repository', () => {
  const root = makeTree({ '.git': 'gitdir: elsewhere\n', 'sub/': '' });
  expect(projectDirectories(join(root, 'sub'))).toEqual([join(root, 'sub'), root]);
});

test('outside a repository the working directory stands alone', () => {
  const root = makeTree({ 'a/b/': '' });
  expect(projectDirectories(join(root, 'a/b'))).toEqual([join(root, 'a/b')]);
});
