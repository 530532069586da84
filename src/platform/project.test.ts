import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { projectDirectories } from './project.ts';

test('project folders go from the working directory up to the root of the repository', () => {
  const root = makeTree({ 'repo/.git/': '', 'repo/packages/app/': '' });
  const repo = join(root, 'repo');
  expect(projectDirectories(join(repo, 'packages/app'))).toEqual([
    join(repo, 'packages/app'),
    join(repo, 'packages'),
    repo,
  ]);
});

test('project folders end at the nearest repository', () => {
  const root = makeTree({ '.git/': '', 'inner/.git/': '', 'inner/sub/': '' });
  expect(projectDirectories(join(root, 'inner/sub'))).toEqual([join(root, 'inner/sub'), join(root, 'inner')]);
  expect(projectDirectories(join(root, 'inner'))).toEqual([join(root, 'inner')]);
});

test('project folders end at a git worktree, whose .git is a file', () => {
  const root = makeTree({ '.git': 'gitdir: elsewhere\n', 'sub/': '' });
  expect(projectDirectories(join(root, 'sub'))).toEqual([join(root, 'sub'), root]);
});

test('outside a repository the only project folder is the working directory', () => {
  const root = makeTree({ 'a/b/': '' });
  expect(projectDirectories(join(root, 'a/b'))).toEqual([join(root, 'a/b')]);
});
