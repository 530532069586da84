import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { sourceRoot } from '../../test/support/found.ts';
import { link, makeTree, skillText } from '../../test/support/tree.ts';
import type { SourceRoot } from '../model/source.ts';
import { openScanner, type SourcesScan } from './scan-sources.ts';

const SKILL = skillText({ description: 'Does it.' });

async function scan(tree: string, roots: readonly SourceRoot[]): Promise<SourcesScan> {
  return openScanner({ agentHome: join(tree, 'agent-home'), userId: process.getuid?.() }).scan(roots);
}

describe('several sources', () => {
  test('are read in their order', async () => {
    const tree = makeTree({ 'one/b/SKILL.md': SKILL, 'one/a/SKILL.md': SKILL, 'two/c/SKILL.md': SKILL });
    const { found, roots } = await scan(tree, [sourceRoot(join(tree, 'two')), sourceRoot(join(tree, 'one'))]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['c', 'a', 'b']);
    expect(roots.map((root) => root.path)).toEqual([join(tree, 'two'), join(tree, 'one')]);
  });

  test('that are trees come as the folders found in them', async () => {
    const tree = makeTree({ 'plugins/p/skills/a/SKILL.md': SKILL, 'plugins/q/v1/skills/b/SKILL.md': SKILL });
    const { found, roots } = await scan(tree, [sourceRoot(join(tree, 'plugins'), { layout: 'tree' })]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['a', 'b']);
    expect(roots.map((root) => root.path)).toEqual([join(tree, 'plugins/p/skills'), join(tree, 'plugins/q/v1/skills')]);
  });

  test('one that cannot be read hides no other', async () => {
    const tree = makeTree({ one: 'a file', 'two/a/SKILL.md': SKILL });
    const { found, diagnostics } = await scan(tree, [sourceRoot(join(tree, 'one')), sourceRoot(join(tree, 'two'))]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ code: 'SOURCE_UNREADABLE', path: join(tree, 'one') }]);
  });
});

describe('a refused link', () => {
  test('to a skill that is found in its own place is silent', async () => {
    const tree = makeTree({ 'shared/a/SKILL.md': SKILL, 'project/a': link('../shared/a') });
    const project = sourceRoot(join(tree, 'project'), { level: 'project' });
    const { found, diagnostics } = await scan(tree, [project, sourceRoot(join(tree, 'shared'))]);
    expect(found.map(({ skill }) => skill.dir)).toEqual([join(tree, 'shared/a')]);
    expect(diagnostics).toEqual([]);
  });

  test('to a directory beside it that is no skill is reported', async () => {
    const tree = makeTree({ 'shared/a/SKILL.md': SKILL, 'shared/b/': '', 'project/b': link('../shared/b') });
    const project = sourceRoot(join(tree, 'project'), { level: 'project' });
    const { diagnostics } = await scan(tree, [project, sourceRoot(join(tree, 'shared'))]);
    expect(diagnostics).toMatchObject([{ code: 'LINK_REFUSED', path: join(tree, 'project/b') }]);
  });
});
