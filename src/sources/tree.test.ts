import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { sourceRoot } from '../../test/support/found.ts';
import { link, makeTree } from '../../test/support/tree.ts';
import { MAX_TREE_DIRECTORIES } from '../model/limits.ts';
import { expandTree, type ExpandedTree } from './tree.ts';

function expand(path: string): ExpandedTree {
  return expandTree(sourceRoot(path, { id: 'claude-plugins', layout: 'tree', priority: 45 }));
}

test('every folder named skills below is a root of its own, with the tree’s source', () => {
  const path = makeTree({ 'a/skills/x/': '', 'market/b/skills/': '', 'market/c/commands/': '', 'skills/': '' });
  const { roots, diagnostics } = expand(path);
  expect(roots.map((root) => [root.path, root.ordinal])).toEqual([
    [join(path, 'skills'), 0],
    [join(path, 'a/skills'), 1],
    [join(path, 'market/b/skills'), 2],
  ]);
  expect(roots[0]).toMatchObject({ id: 'claude-plugins', layout: 'skills', priority: 45 });
  expect(diagnostics).toEqual([]);
});

test('skills inside skills, hidden folders, node_modules, links and files are passed over', () => {
  const path = makeTree({
    'a/skills/x/skills/': '',
    '.git/skills/': '',
    'b/.cache/skills/': '',
    'node_modules/p/skills/': '',
    c: link('a'),
    'd/skills': link('../a/skills'),
    'e/skills': 'a file',
  });
  expect(expand(path).roots.map((root) => root.path)).toEqual([join(path, 'a/skills')]);
});

test('a missing tree has no roots', () => {
  expect(expand(join(makeTree(), 'missing'))).toMatchObject({ roots: [], diagnostics: [] });
});

test('a tree that cannot be listed is reported, as any other source', () => {
  const path = join(makeTree({ plugins: 'a file' }), 'plugins');
  expect(expand(path)).toMatchObject({ roots: [], diagnostics: [{ code: 'SOURCE_UNREADABLE', path }] });
});

test('a circle of links ends, and each real folder is visited once', () => {
  const path = makeTree({ 'a/skills/': '', 'a/again': link('..'), self: link('.') });
  expect(expand(path).roots).toHaveLength(1);
});

test('the walk stops at its depth', () => {
  const path = makeTree({ '1/2/3/4/5/skills/': '', '1/2/3/4/5/6/skills/': '', '1/2/3/4/5/6/7/8/skills/': '' });
  expect(expand(path).roots.map((root) => root.path)).toEqual([join(path, '1/2/3/4/5/skills')]);
});

test('the walk stops after so many folders, once says so, and keeps what it found', () => {
  const path = makeTree({ 'a/skills/': '' });
  for (let index = 0; index <= MAX_TREE_DIRECTORIES; index += 1) mkdirSync(join(path, `d${index}`));
  const { roots, diagnostics } = expand(path);
  expect(roots.map((root) => root.path)).toEqual([join(path, 'a/skills')]);
  expect(diagnostics).toEqual([
    {
      code: 'SCAN_LIMIT',
      severity: 'warning',
      path,
      message: `only the first ${MAX_TREE_DIRECTORIES} folders were searched for skills`,
    },
  ]);
});
