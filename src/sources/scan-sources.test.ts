import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { sourceRoot } from '../../test/support/found.ts';
import { link, makeTree, skillText } from '../../test/support/tree.ts';
import type { SourceRoot } from '../model/source.ts';
import { openScanner, type SourcesScan } from './scan.ts';

const SKILL = skillText({ description: 'Does it.' });

async function scan(tree: string, roots: readonly SourceRoot[]): Promise<SourcesScan> {
  return openScanner({ agentHome: join(tree, 'agent-home'), userId: process.getuid?.() }).scan(roots);
}

describe('scanning several sources', () => {
  test('reads them in their order', async () => {
    const tree = makeTree({ 'one/b/SKILL.md': SKILL, 'one/a/SKILL.md': SKILL, 'two/c/SKILL.md': SKILL });
    const { found, roots } = await scan(tree, [sourceRoot(join(tree, 'two')), sourceRoot(join(tree, 'one'))]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['c', 'a', 'b']);
    expect(roots.map((root) => root.path)).toEqual([join(tree, 'two'), join(tree, 'one')]);
  });

  test('replaces a tree by the skill folders found in it', async () => {
    const tree = makeTree({ 'plugins/p/skills/a/SKILL.md': SKILL, 'plugins/q/v1/skills/b/SKILL.md': SKILL });
    const { found, roots } = await scan(tree, [sourceRoot(join(tree, 'plugins'), { layout: 'tree' })]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['a', 'b']);
    expect(roots.map((root) => root.path)).toEqual([join(tree, 'plugins/p/skills'), join(tree, 'plugins/q/v1/skills')]);
  });

  test('reads the others if one cannot be read', async () => {
    const tree = makeTree({ one: 'a file', 'two/a/SKILL.md': SKILL });
    const { found, diagnostics } = await scan(tree, [sourceRoot(join(tree, 'one')), sourceRoot(join(tree, 'two'))]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ code: 'SOURCE_UNREADABLE', path: join(tree, 'one') }]);
  });
});

describe('scanning sources: a refused link', () => {
  test('to a skill that is found in its own place is not reported', async () => {
    const tree = makeTree({ 'shared/a/SKILL.md': SKILL, 'project/a': link('../shared/a') });
    const project = sourceRoot(join(tree, 'project'), { level: 'project' });
    const { found, diagnostics } = await scan(tree, [project, sourceRoot(join(tree, 'shared'))]);
    expect(found.map(({ skill }) => skill.dir)).toEqual([join(tree, 'shared/a')]);
    expect(diagnostics).toEqual([]);
  });

  test('to a directory that is not a skill is reported', async () => {
    const tree = makeTree({ 'shared/a/SKILL.md': SKILL, 'shared/b/': '', 'project/b': link('../shared/b') });
    const project = sourceRoot(join(tree, 'project'), { level: 'project' });
    const { diagnostics } = await scan(tree, [project, sourceRoot(join(tree, 'shared'))]);
    expect(diagnostics).toMatchObject([{ code: 'LINK_REFUSED', path: join(tree, 'project/b') }]);
  });
});
