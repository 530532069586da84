import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { link, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { validateSkill } from './validate.ts';

const CONFIG = { 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' };

async function open(tree: Tree = {}): Promise<{ world: World; skills: Skills; dir: string }> {
  const world = makeWorld({ ...CONFIG, ...tree });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills, dir: join(world.home, '.agent/skills') };
}

const DRAFT = { name: 'pdf', description: 'Fill: PDF forms.', body: '# PDF\n\nUse qpdf.' };

describe('creating a skill', () => {
  test('stores it in the user’s folder, where search and load see it at once', async () => {
    const { skills, dir } = await open();
    expect(await skills.writing.create({ ...DRAFT, tags: ['docs', 'a: b'], version: '1.0' })).toEqual({
      ok: true,
      id: 'pdf',
      path: join(dir, 'pdf/SKILL.md'),
      action: 'created',
    });
    expect(readFileSync(join(dir, 'pdf/SKILL.md'), 'utf8')).toBe(
      '---\nname: pdf\ndescription: "Fill: PDF forms."\nversion: "1.0"\ntags: [docs, "a: b"]\n---\n\n# PDF\n\nUse qpdf.\n',
    );
    expect(validateSkill(join(dir, 'pdf'))).toMatchObject({ ok: true, warnings: [] });
    expect((await skills.search({ query: 'pdf' }))[0]).toMatchObject({ name: 'pdf' });
    expect(await skills.loader.load('pdf')).toMatchObject({ ok: true, body: '# PDF\n\nUse qpdf.' });
  });
});

test('many skills created and updated at once are all written and found', async () => {
  const { skills } = await open();
  const names = Array.from({ length: 12 }, (_, at) => `s${at}`);
  await Promise.all(
    names.map(async (name) => {
      await skills.writing.create({ ...DRAFT, name });
      expect(skills.find(name)).toMatchObject({ ok: true });
    }),
  );
  await Promise.all([
    ...names.map((name) => skills.writing.update(name, { domain: 'x' })),
    ...names.map((name) => skills.writing.update(name, { version: '2' })),
  ]);
  expect(skills.copies().filter(({ domain, version }) => domain === 'x' && version === '2')).toHaveLength(12);
});

describe('creating a skill', () => {
  test.for([
    ['a bad name', { ...DRAFT, name: 'My Skill' }, 'INVALID_NAME', /must be lowercase/],
    ['a missing name', { ...DRAFT, name: ' ' }, 'INVALID_NAME', /empty/],
    ['a name that leaves the folder', { ...DRAFT, name: '../x' }, 'INVALID_NAME', /invalid characters/],
    ['a missing description', { ...DRAFT, description: ' ' }, 'SKILL_INVALID', /missing required field: description/],
    ['a description that is too long', { ...DRAFT, description: 'x'.repeat(1025) }, 'SKILL_INVALID', /1024/],
    ['hidden text in the body', { ...DRAFT, body: 'a\u202Eb' }, 'SKILL_INVALID', /U\+202E/],
  ] as const)('is refused for %s', async ([, draft, code, message]) => {
    const { skills, dir } = await open();
    expect(await skills.writing.create(draft)).toMatchObject({
      ok: false,
      code,
      message: expect.stringMatching(message),
    });
    expect(existsSync(join(dir, 'x'))).toBe(false);
  });

  test.for([
    ['home/.agent/skills/pdf/SKILL.md', skillText({ description: 'x' })],
    ['home/.claude/skills/pdf/SKILL.md', skillText({ description: 'x' })],
    ['project/.agent/skills/other/SKILL.md', skillText({ name: 'PDF', description: 'x' })],
    ['home/.agent/skills/pdf/notes.md', 'x'],
    ['home/.agent/skills/PDF/notes.md', 'x'],
    ['home/.agent/skills/pdf', 'x'],
  ] as const)('is refused for a name that is taken by %s', async ([path, text]) => {
    const { skills, world } = await open({ [path]: text });
    expect(await skills.writing.create(DRAFT)).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
    expect(readFileSync(join(world.root, path), 'utf8')).toBe(text);
  });

  test('is refused for a source that is turned off', async () => {
    const { skills } = await open({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [user]\n' });
    expect(await skills.writing.create(DRAFT)).toMatchObject({
      ok: false,
      code: 'STORE_FAILED',
      message: 'your own directory is turned off as a source',
      next: { ask: 'user', to: expect.stringContaining('disabledSources') },
    });
  });

  test('is refused for a project whose .agents is a link out of it, even to a missing folder', async () => {
    for (const target of ['../out', '../nowhere']) {
      const { skills, world } = await open({ 'out/': '', 'project/.agents': link(target) });
      const { writing } = skills;
      expect(await writing.create(DRAFT, { project: true })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
      expect(existsSync(join(world.root, 'out/skills'))).toBe(false);
      expect(existsSync(join(world.root, 'nowhere'))).toBe(false);
    }
  });
});

describe('creating a skill in a project', () => {
  const openBelow = async (world: World): Promise<Skills> => {
    const below = join(world.project, 'a/b');
    writeTree(below, { 'x.txt': '' });
    const skills = await openSkills({ cwd: below, home: world.home, env: world.env });
    onTestFinished(() => skills[Symbol.asyncDispose]());
    return skills;
  };

  test('puts it at the root of the project, from any folder inside', async () => {
    const { world } = await open();
    const path = join(world.project, '.agents/skills/pdf/SKILL.md');
    const skills = await openBelow(world);
    expect(await skills.writing.create(DRAFT, { project: true })).toMatchObject({ ok: true, path });
  });

  test('puts it beside a closer .agent folder if there is one', async () => {
    const { world } = await open({ 'project/a/.agent/': '' });
    const path = join(world.project, 'a/.agents/skills/pdf/SKILL.md');
    const skills = await openBelow(world);
    expect(await skills.writing.create(DRAFT, { project: true })).toMatchObject({ ok: true, path });
  });
});

describe('updating a skill', () => {
  const TEXT = `---
# mine
name: pdf
description: Old. # why
always_present: true
x-unknown: {a: [1.0, yes]}
tags:
  - docs # one
---

Body.
`;

  test('changes the given fields and leaves every other byte unchanged', async () => {
    const { skills, dir } = await open({ 'home/.agent/skills/pdf/SKILL.md': TEXT });
    expect(await skills.writing.update('pdf', { description: 'New: one.' })).toMatchObject({ action: 'updated' });
    const text = readFileSync(join(dir, 'pdf/SKILL.md'), 'utf8');
    expect(text).toBe(TEXT.replace('Old.', '"New: one."'));
    expect(skills.find('pdf')).toMatchObject({ skill: { description: 'New: one.', pinned: true } });
    expect(await skills.writing.update('pdf', { body: 'New.', domain: 'docs' })).toMatchObject({ ok: true });
    expect(readFileSync(join(dir, 'pdf/SKILL.md'), 'utf8')).toBe(
      text.replace('Body.', 'New.').replace('# one\n', '# one\ndomain: docs\n'),
    );
  });

  test('works on a skill that another process has just written', async () => {
    const { skills, world } = await open();
    writeTree(world.home, { '.agent/skills/late/SKILL.md': skillText({ name: 'late', description: 'x' }) });
    expect(await skills.writing.update('late', { description: 'y' })).toMatchObject({ ok: true, id: 'late' });
  });

  test('suggests the nearest name if it is unknown, and names the source if it is not your own', async () => {
    const { skills } = await open({
      'home/.agent/skills/pdf/SKILL.md': TEXT,
      'home/.claude/skills/theirs/SKILL.md': skillText({ name: 'theirs', description: 'x' }),
    });
    expect(await skills.writing.update('pfd', { description: 'x' })).toMatchObject({
      code: 'SKILL_NOT_FOUND',
      message: expect.stringContaining('pdf'),
    });
    for (const outcome of [skills.writing.update('theirs', { description: 'y' }), skills.writing.remove('theirs')])
      expect(await outcome).toMatchObject({ code: 'PATH_REFUSED', message: expect.stringContaining('claude-user') });
  });

  test('refuses a skill that is a link, and so does removing it', async () => {
    const { skills, world } = await open({
      'elsewhere/pdf/SKILL.md': TEXT,
      'home/.agent/skills/pdf': link('../../../elsewhere/pdf'),
      'home/.agent/skills/two/SKILL.md': link('../pdf2.md'),
      'home/.agent/skills/pdf2.md': TEXT,
    });
    for (const name of ['pdf', 'two']) {
      expect(await skills.writing.update(name, { body: 'x' })).toMatchObject({ ok: false });
      expect(await skills.writing.remove(name)).toMatchObject({ ok: false });
    }
    expect(readFileSync(join(world.root, 'elsewhere/pdf/SKILL.md'), 'utf8')).toBe(TEXT);
    expect(existsSync(join(world.home, '.agent/skills/two/SKILL.md'))).toBe(true);
  });
});

describe('removing a skill', () => {
  test('deletes its folder, and search no longer finds it', async () => {
    const { skills, dir } = await open();
    await skills.writing.create(DRAFT);
    writeTree(dir, { 'pdf/.skillplane-1-left-by-a-killed-writer.tmp': 'x' });
    expect(await skills.writing.remove('pdf')).toEqual({ ok: true, id: 'pdf', path: join(dir, 'pdf/SKILL.md') });
    expect(existsSync(join(dir, 'pdf'))).toBe(false);
    expect(await skills.search({ query: 'pdf' })).toEqual([]);
    expect(await skills.writing.remove('pdf')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test('refuses if the folder holds other files, names them, and deletes them on request', async () => {
    const { skills, dir } = await open({ 'home/.agent/skills/pdf/notes/mine.md': 'x' });
    writeTree(dir, { 'pdf/SKILL.md': skillText({ description: 'x' }) });
    expect(await skills.writing.remove('pdf')).toMatchObject({
      ok: false,
      code: 'PATH_REFUSED',
      message: expect.stringContaining('notes/mine.md'),
    });
    expect(existsSync(join(dir, 'pdf/notes/mine.md'))).toBe(true);
    expect(await skills.writing.remove('pdf', { withFiles: true })).toMatchObject({ ok: true });
    expect(existsSync(join(dir, 'pdf'))).toBe(false);
  });
});

test('creating a skill reports a broken one of that name, which an update can rewrite', async () => {
  const { skills, dir } = await open({ 'home/.agent/skills/pdf/SKILL.md': '' });
  expect(await skills.writing.create(DRAFT)).toEqual({
    ok: false,
    code: 'ALREADY_EXISTS',
    message: `the skill "pdf" already exists, but is broken: ${join(dir, 'pdf/SKILL.md')} (source user): the file is empty`,
    next: { do: 'fix', path: join(dir, 'pdf') },
  });
  const { name: _, ...changes } = DRAFT;
  expect(await skills.writing.update('pdf', changes)).toMatchObject({ ok: true, action: 'updated' });
  expect(await skills.load('pdf')).toMatchObject({ ok: true, body: DRAFT.body });
});
