import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { link, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import type { SkillLoader } from '../activate/loader.ts';
import { openSkills, type Skills } from './open-skills.ts';
import { openSkillLoader } from './skill-loading.ts';

const TEXT = skillText({ name: 'pdf', description: 'Fill forms.' }, 'Use qpdf.\n');

async function open(tree: Tree): Promise<{ world: World; skills: Skills; loader: SkillLoader }> {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n', ...tree });
  const { project: cwd, home, env } = world;
  const skills = await openSkills({ cwd, home, env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills, loader: openSkillLoader(skills) };
}

test('loading a skill of the catalog records its use under its name', async () => {
  const { skills, loader } = await open({ 'project/.claude/skills/forms/SKILL.md': TEXT });
  expect(await loader.load('forms')).toMatchObject({ ok: true, skill: { name: 'pdf' }, body: 'Use qpdf.' });
  expect([...(await skills.usage.lastUsed(['pdf', 'forms'])).keys()]).toEqual(['pdf']);
});

test('reading a file of a skill records no use', async () => {
  const { skills, loader } = await open({ 'project/.claude/skills/pdf/SKILL.md': TEXT });
  expect(loader.readUrl('skill://pdf')).toMatchObject({ ok: true, text: TEXT });
  expect(await skills.usage.lastUsed(['pdf'])).toEqual(new Map());
});

test('a skill:// URL with only a name reads a file spelled skill.md, too', async () => {
  const { loader } = await open({ 'project/.claude/skills/pdf/skill.md': TEXT, 'project/.claude/skills/pdf/a': '' });
  expect(loader.readUrl('skill://pdf')).toMatchObject({ ok: true, text: TEXT, contentType: 'text/markdown' });
  expect(loader.resources('pdf')).toMatchObject({ resources: [{ path: 'a' }] });
});

test('a SKILL.md that is a link inside its skill can be loaded', async () => {
  const { loader } = await open({
    'project/.claude/skills/pdf/docs/SKILL.md': TEXT,
    'project/.claude/skills/pdf/SKILL.md': link('docs/SKILL.md'),
  });
  expect(await loader.load('pdf')).toMatchObject({ ok: true, raw: TEXT });
});

test('a linked skill of the user is read, but not a project folder that became a link', async () => {
  const { loader, world } = await open({
    'home/work/mail/SKILL.md': skillText({ name: 'mail', description: 'Write letters.' }),
    'home/work/mail/a.md': 'own',
    'home/.claude/skills/mail': link('../../work/mail'),
    'home/.ssh/SKILL.md': 'foreign',
    'home/.ssh/id': 'foreign',
    'project/.claude/skills/pdf/SKILL.md': TEXT,
  });
  expect(loader.readUrl('skill://mail/a.md')).toMatchObject({ ok: true, text: 'own' });
  const dir = join(world.project, '.claude/skills/pdf');
  renameSync(dir, join(world.root, 'moved'));
  symlinkSync(join(world.home, '.ssh'), dir);
  for (const read of [loader.readUrl('skill://pdf/id'), loader.readUrl('skill://pdf'), loader.resources('pdf')])
    expect(read).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(await loader.load('pdf')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
});

test('loading finds a new skill after a refresh', async () => {
  const { loader, skills, world } = await open({ 'project/.claude/skills/pdf/SKILL.md': TEXT });
  writeTree(world.project, { '.claude/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write.' }) });
  expect(await loader.load('mail')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  await skills.refresh();
  expect(await loader.load('mail')).toMatchObject({ ok: true, skill: { source: 'claude-project' } });
});
