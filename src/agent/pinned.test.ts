import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { ActivationLedger } from './activation-ledger.ts';
import { resolvePinned } from './pinned.ts';

const PDF = skillText({ name: 'pdf', description: 'Fill PDF forms.' }, 'Use qpdf.\n');

async function open(tree: Tree = {}): Promise<{ world: World; skills: Skills }> {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    'home/.agent/skills/pdf/SKILL.md': PDF,
    'home/.agent/skills/docx/SKILL.md': skillText({ description: 'Write letters.' }),
    'home/.agent/skills/off/SKILL.md': skillText({ description: 'Off.' }),
    'home/.agent/skills/secret/SKILL.md': skillText({ description: 'Hidden.', 'disable-model-invocation': true }),
    ...tree,
  });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills };
}

test('resolvePinned returns whole SKILL.md files with their folders, in the order requested', async () => {
  const { world, skills } = await open();
  const pinned = await resolvePinned(skills, ['pdf', 'docx']);
  expect(pinned).toMatchObject({ ok: true, skills: [{ name: 'pdf', text: PDF }, { name: 'docx' }] });
  expect(pinned.ok && pinned.skills[0]?.dir).toBe(join(world.home, '.agent/skills/pdf'));
  expect(pinned.ok && pinned.skills.map(({ files }) => files)).toEqual([[], []]);
  expect([...(await skills.usage.lastUsed(['pdf', 'docx'])).keys()]).toEqual(['pdf', 'docx']);
});

test('resolvePinned ignores spaces around names, and repeated names in any case', async () => {
  const { skills } = await open();
  expect(await resolvePinned(skills, [' pdf ', '', 'pdf', 'PDF', ' '])).toMatchObject({
    ok: true,
    skills: [{ name: 'pdf' }],
  });
  expect(await resolvePinned(skills, [])).toEqual({ ok: true, skills: [] });
});

test('resolvePinned fails with all unknown names and the available ones, and loads nothing', async () => {
  const { skills } = await open();
  const ledger = new ActivationLedger();
  expect(await resolvePinned(skills, ['pdf', 'pfd', 'dcx'], { ledger })).toEqual({
    ok: false,
    code: 'SKILL_NOT_FOUND',
    message: 'Unknown skills requested: pfd, dcx. Available skills: docx, pdf',
  });
  expect(ledger.list()).toEqual([]);
  expect(await skills.usage.lastUsed(['pdf'])).toEqual(new Map());
});

test('resolvePinned treats hidden and disabled skills as unknown', async () => {
  const { skills } = await open();
  expect(await resolvePinned(skills, ['secret', 'off'])).toMatchObject({
    message: 'Unknown skills requested: secret, off. Available skills: pdf, docx',
  });
});

test('resolvePinned says that no skills are available if there are none', async () => {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  enabled: false\n' });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  expect(await resolvePinned(skills, ['pdf'])).toMatchObject({
    message: 'Unknown skills requested: pdf. Available skills: none',
  });
});

test('resolvePinned reports all skills that can no longer be read in one failure', async () => {
  const { world, skills } = await open();
  rmSync(join(world.home, '.agent/skills/pdf'), { recursive: true });
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': '' });
  const ledger = new ActivationLedger();
  const pinned = await resolvePinned(skills, ['pdf', 'docx'], { ledger });
  expect(pinned).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  expect(!pinned.ok && pinned.message).toMatch(/the skill "pdf" is gone.*; .*docx.*the file is empty/);
  expect(ledger.list()).toEqual([]);
});

test('resolvePinned shows invisible characters of paths in its failures', async () => {
  const dir = '.agent/skills/o\u200Bdd';
  const { world, skills } = await open({ [`home/${dir}/SKILL.md`]: skillText({ name: 'odd', description: 'x' }) });
  rmSync(join(world.home, dir), { recursive: true });
  const pinned = await resolvePinned(skills, ['odd']);
  expect(!pinned.ok && pinned.message).toMatch(/^the skill "odd" is gone: .*o\uFFFDdd/);
});

test('resolvePinned records preloaded skills in the ledger', async () => {
  const { skills } = await open();
  const ledger = new ActivationLedger();
  await resolvePinned(skills, ['pdf'], { ledger });
  expect(ledger.list()).toMatchObject([{ name: 'pdf', tokens: Math.ceil(PDF.length / 4) }]);
});
