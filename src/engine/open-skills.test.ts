import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { namesOf, queueChanges } from '../../test/support/changes.ts';
import { skillText, writeTree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { discoverSkills } from '../catalog/discover.ts';
import { readConfig } from '../config/read-config.ts';
import { openSkills, type Skills } from './open-skills.ts';

function makeSkills(): World {
  return makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/pdf/SKILL.md': skillText({ description: 'The user’s.' }),
    'home/.agent/skills/forms/SKILL.md': skillText({ name: 'Fill-Forms', description: 'Forms.' }),
    'project/.agent/skills/pdf/SKILL.md': skillText({ description: 'The project’s.' }),
  });
}

async function open(world: World): Promise<Skills> {
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

test('opens every skill of the user and the project', async () => {
  const world = makeSkills();
  const skills = await open(world);
  expect(skills.environment).toEqual(world.environment);
  expect(skills.catalog()).toMatchObject({
    skills: [
      { name: 'Fill-Forms', source: 'user' },
      { name: 'pdf', source: 'project', shadows: [{ source: 'user' }] },
    ],
    shadowed: [{ name: 'pdf', source: 'user' }],
  });
});

test('lists every copy, the shadowed ones between the others', async () => {
  const skills = await open(makeSkills());
  expect(skills.copies().map(({ name, source }) => [name, source])).toEqual([
    ['Fill-Forms', 'user'],
    ['pdf', 'project'],
    ['pdf', 'user'],
  ]);
});

test('finds a skill by name, by id and in another case, and says what there is', async () => {
  const skills = await open(makeSkills());
  expect(skills.find('pdf')).toMatchObject({ ok: true, skill: { description: 'The project’s.' } });
  expect(skills.find('forms')).toMatchObject({ ok: true, skill: { name: 'Fill-Forms' } });
  expect(skills.find('fill-FORMS')).toMatchObject({ ok: true, skill: { name: 'Fill-Forms' } });
  expect(skills.find('docx')).toEqual({
    ok: false,
    code: 'SKILL_NOT_FOUND',
    message: 'there is no skill "docx"; there are Fill-Forms, pdf',
  });
});

test('sees what changed when asked to look again', async () => {
  const world = makeSkills();
  const skills = await open(world);
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': skillText({ description: 'New.' }) });
  expect(skills.find('docx').ok).toBe(false);
  expect(namesOf(await skills.refresh())).toEqual({ added: ['docx'], changed: [], removed: [] });
  expect(skills.find('docx').ok).toBe(true);
  expect(skills.catalog().skills).toHaveLength(3);
});

test('watches, and its catalog follows', async () => {
  const world = makeSkills();
  const skills = await open(world);
  const { listener, next } = queueChanges();
  const watching = await skills.watch(listener, { debounceMs: 20 });
  onTestFinished(() => watching.close());
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': skillText({ description: 'New.' }) });
  expect(await next()).toEqual({ added: ['docx'], changed: [], removed: [] });
  expect(skills.find('docx').ok).toBe(true);
});

test('a change between opening and watching is not lost', async () => {
  const world = makeSkills();
  const skills = await open(world);
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': skillText({ description: 'New.' }) });
  const { listener, next } = queueChanges();
  const watching = await skills.watch(listener, { debounceMs: 20 });
  onTestFinished(() => watching.close());
  writeTree(world.home, { '.agent/skills/xlsx/SKILL.md': skillText({ description: 'New.' }) });
  expect(await next()).toEqual({ added: ['docx', 'xlsx'], changed: [], removed: [] });
});

test('keeps what it read for the next process when it is closed', async () => {
  const world = makeSkills();
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  await skills[Symbol.asyncDispose]();
  expect(existsSync(join(world.home, '.agent/cache'))).toBe(true);
});

const namesIn = (skills: Skills): readonly string[] =>
  skills
    .catalog()
    .skills.filter(({ status }) => status === 'enabled')
    .map(({ name }) => name);

test('settings in code lie over the files, and switch nothing on again that these switch off', async () => {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n  sandbox: require\n',
    'home/.agent/skills/off/SKILL.md': skillText({ description: 'Off.' }),
    'home/.agent/skills/pdf/SKILL.md': skillText({ description: 'On.' }),
    'home/.agent/skills/old/SKILL.md': skillText({ description: 'Ignored in code.' }),
    'home/.claude/skills/claude/SKILL.md': skillText({ description: 'Of a source that the code switches off.' }),
    'project/more/mine/SKILL.md': skillText({ description: 'Of a directory of the program.' }),
  });
  const config = {
    customDirectories: ['more'],
    ignoredSkills: ['ol?'],
    disabledSources: ['claude'],
    disabled: [],
    sandbox: 'off',
  } as const;
  const place = { cwd: world.project, home: world.home, env: world.env };
  const skills = await openSkills({ ...place, config });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  expect(namesIn(skills)).toEqual(['mine', 'pdf']);
  expect((await readConfig(skills.environment)).config.sandbox).toBe('require');
  const { customDirectories, ignoredSkills, disabledSources } = config;
  const found = await discoverSkills({ ...place, customDirectories, ignoredSkills, disabledSources });
  expect(found.skills.map(({ name }) => name)).toEqual(['mine', 'pdf']);
  const chosen = await discoverSkills({ ...place, includeSkills: ['c*'] });
  expect(chosen.skills.map(({ name }) => name)).toEqual(['claude']);
  const switched = await discoverSkills({ ...place, enableClaudeUser: false });
  expect(switched.skills.map(({ name }) => name)).toEqual(['old', 'pdf']);
});

test('a pool of given directories has nothing else', async () => {
  const world = makeWorld({
    'home/.agent/skills/pdf/SKILL.md': skillText({ description: 'The user’s.' }),
    'project/a/one/SKILL.md': skillText({ description: 'Of the first.' }),
    'home/b/one/SKILL.md': skillText({ description: 'Of the second.' }),
    'home/b/two/SKILL.md': skillText({ description: 'Two.' }),
  });
  const { project: cwd, home, env } = world;
  const skills = await openSkills({ cwd, home, env, dirs: ['a', '~/b', 'gone'] });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  expect(namesIn(skills)).toEqual(['one', 'two']);
  expect(await skills.load('one')).toMatchObject({ ok: true, skill: { description: 'Of the first.' } });
});

test('agent and team say whose history counts', async () => {
  const world = makeSkills();
  const place = { cwd: world.project, home: world.home, env: { ...world.env, SKILLPLANE_AGENT: 'other' } };
  const lastUsed = async (who: { readonly agent?: string; readonly team?: string }): Promise<readonly string[]> => {
    const skills = await openSkills({ ...place, ...who });
    const used = await skills.usage.lastUsed(['pdf', 'Fill-Forms']);
    await skills[Symbol.asyncDispose]();
    return [...used.keys()];
  };
  for (const [agent, name] of [
    ['writer', 'pdf'],
    ['clerk', 'forms'],
  ] as const) {
    const skills = await openSkills({ ...place, agent, team: 'office', session: 's1' });
    await skills.load(name);
    await skills[Symbol.asyncDispose]();
  }
  expect(await lastUsed({ agent: 'writer', team: 'office' })).toEqual(['pdf']);
  expect(await lastUsed({ agent: 'clerk', team: 'office' })).toEqual(['Fill-Forms']);
  expect(await lastUsed({ agent: 'writer' })).toEqual([]);
});
