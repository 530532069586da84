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

test("every folder named skills in a plugin tree is a root with the tree's source", () => {
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

test('a plugin tree is searched without nested skills folders, hidden folders, node_modules and links', () => {
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

test('a missing plugin tree has no roots', () => {
  expect(expand(join(makeTree(), 'missing'))).toMatchObject({ roots: [], diagnostics: [] });
});

test('a plugin tree that cannot be listed is reported', () => {
  const path = join(makeTree({ plugins: 'a file' }), 'plugins');
  expect(expand(path)).toMatchObject({ roots: [], diagnostics: [{ code: 'SOURCE_UNREADABLE', path }] });
});

test('a plugin tree with circular links visits each real folder once', () => {
  const path = makeTree({ 'a/skills/': '', 'a/again': link('..'), self: link('.') });
  expect(expand(path).roots).toHaveLength(1);
});

test('a plugin tree is searched only to a limited depth', () => {
  const path = makeTree({ '1/2/3/4/5/skills/': '', '1/2/3/4/5/6/skills/': '', '1/2/3/4/5/6/7/8/skills/': '' });
  expect(expand(path).roots.map((root) => root.path)).toEqual([join(path, '1/2/3/4/5/skills')]);
});

test('a plugin tree with too many folders is searched up to a limit, and the limit is reported once', () => {
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
