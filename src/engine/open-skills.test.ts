import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { namesOf, queueChanges } from '../../test/support/changes.ts';
import { settle } from '../../test/support/settle.ts';
import { skillText, writeTree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { discoverSkills } from '../catalog/discover.ts';
import { SkillStore } from '../catalog/store.ts';
import { readConfig } from '../config/read-config.ts';
import { openSkillEvals } from '../evals/evaluate-skills.ts';
import { createMcpServer } from '../mcp/skill-server.ts';
import { openTestSkills } from '../testing.ts';
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

test('openSkills finds every skill of the user and the project', async () => {
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

test('openSkills lists every copy of a skill, including shadowed ones', async () => {
  const skills = await open(makeSkills());
  expect(skills.copies().map(({ name, source }) => [name, source])).toEqual([
    ['Fill-Forms', 'user'],
    ['pdf', 'project'],
    ['pdf', 'user'],
  ]);
});

test('openSkills finds a skill by name, folder or in another case, or lists what exists', async () => {
  const skills = await open(makeSkills());
  expect(skills.find('pdf')).toMatchObject({ ok: true, skill: { description: 'The project’s.' } });
  expect(skills.find('forms')).toMatchObject({ ok: true, skill: { name: 'Fill-Forms' } });
  expect(skills.find('fill-FORMS')).toMatchObject({ ok: true, skill: { name: 'Fill-Forms' } });
  expect(skills.find('docx')).toEqual({
    ok: false,
    code: 'SKILL_NOT_FOUND',
    message: 'no skill called "docx"; available: Fill-Forms, pdf',
  });
});

test('openSkills sees changes after a refresh', async () => {
  const world = makeSkills();
  const skills = await open(world);
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': skillText({ description: 'New.' }) });
  expect(skills.find('docx').ok).toBe(false);
  expect(namesOf(await skills.refresh())).toEqual({ added: ['docx'], changed: [], removed: [] });
  expect(skills.find('docx').ok).toBe(true);
  expect(skills.catalog().skills).toHaveLength(3);
});

test('openSkills updates its catalog while it watches', async () => {
  const world = makeSkills();
  const skills = await open(world);
  const { listener, next } = queueChanges();
  const watching = await skills.watch(listener, { debounceMs: 20 });
  onTestFinished(() => watching.close());
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': skillText({ description: 'New.' }) });
  expect(await next()).toEqual({ added: ['docx'], changed: [], removed: [] });
  expect(skills.find('docx').ok).toBe(true);
});

test('openSkills reports a change between opening and watching', async () => {
  const world = makeSkills();
  const skills = await open(world);
  writeTree(world.home, { '.agent/skills/docx/SKILL.md': skillText({ description: 'New.' }) });
  const { listener, next } = queueChanges();
  const watching = await skills.watch(listener, { debounceMs: 20 });
  onTestFinished(() => watching.close());
  writeTree(world.home, { '.agent/skills/xlsx/SKILL.md': skillText({ description: 'New.' }) });
  expect(await next()).toEqual({ added: ['docx', 'xlsx'], changed: [], removed: [] });
});

test.each(['close', Symbol.asyncDispose] as const)('openSkills saves its cache when it is closed', async (close) => {
  const world = makeSkills();
  await settle(join(world.home, '.agent/skills/pdf/SKILL.md'));
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  await skills[close]();
  expect(readdirSync(join(world.home, '.agent/cache'))).not.toEqual([]);
});

test('closing a view leaves the engine open', async () => {
  const skills = await open(makeSkills());
  await skills.only('pdf').close();
  expect(await skills.search({ query: 'pdf' })).toMatchObject([{ name: 'pdf' }]);
});

const namesIn = (skills: Skills): readonly string[] =>
  skills
    .catalog()
    .skills.filter(({ status }) => status === 'enabled')
    .map(({ name }) => name);

test('openSkills adds settings in code to the files, and enables nothing that these disable', async () => {
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
  expect(readConfig(skills.environment).config.sandbox).toBe('require');
  const { customDirectories, ignoredSkills, disabledSources } = config;
  const found = await discoverSkills({ ...place, customDirectories, ignoredSkills, disabledSources });
  expect(found.skills.map(({ name }) => name)).toEqual(['mine', 'pdf']);
  const chosen = await discoverSkills({ ...place, includeSkills: ['c*'] });
  expect(chosen.skills.map(({ name }) => name)).toEqual(['claude']);
  const switched = await discoverSkills({ ...place, enableClaudeUser: false });
  expect(switched.skills.map(({ name }) => name)).toEqual(['old', 'pdf']);
});

test('openSkills with given folders contains no other skills', async () => {
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

test('openSkills uses the history of the given agent and team', async () => {
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

describe('one of several agents in a process', () => {
  const TREE = {
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/mail/SKILL.md': skillText({
      description: 'Write letters.',
      triggers: { keywords: ['letter'] },
    }),
    'home/.agent/skills/pdf/SKILL.md': skillText({ description: 'Fill forms.', triggers: { keywords: ['form'] } }),
    'home/.agent/skills/pdf/scripts/fill.sh': 'echo filled\n',
    'home/.agent/skills/zip/SKILL.md': skillText({ description: 'Pack files.' }),
  };

  test('has its own history for loads, runs and disclosures, also in views', async () => {
    const skills = await open(makeWorld(TREE, { PATH: '/usr/bin:/bin' }));
    const [writer, clerk] = [
      skills.as({ agent: 'writer', team: 'office' }),
      skills.as({ agent: 'clerk', team: 'post' }),
    ];
    const usedBy = async ({ usage }: Skills): Promise<readonly string[]> => [
      ...(await usage.lastUsed(['mail', 'pdf', 'zip'])).keys(),
    ];
    await writer.only(['pdf', 'zip']).scripts.run('pdf', 'fill.sh');
    await clerk.disclosure.disclose('a letter');
    await skills.load('zip');
    expect([await usedBy(writer), await usedBy(clerk), await usedBy(skills)]).toEqual([['pdf'], ['mail'], ['zip']]);
    expect(await usedBy(skills.as({ agent: '', team: undefined }))).toEqual(['zip']);
    await writer[Symbol.asyncDispose]();
    expect((await clerk.disclosure.promptSection(1)).text).toContain('## Last used skills\n\n- **mail**');
  });

  test('has its own pinned skills, which apply wherever pinned skills do', async () => {
    const skills = await open(makeWorld(TREE));
    const writer = skills.as({ pinned: ['zip', 'unknown'] });
    expect((await writer.disclosure.promptSection(0)).shown).toEqual(['zip']);
    expect((await skills.disclosure.promptSection(0)).shown).toEqual([]);
    expect((await writer.prompt({ format: 'markdown' })).indexOf('zip')).toBeLessThan(60);
    expect((await writer.disclosure.disclose('hello')).text).toContain('zip');
    expect((await writer.search({ query: 'pack files' }))[0]).toMatchObject({ name: 'zip' });
    const [match] = (await skills.as({ pinned: ['pdf'] }).match('fill the form')).matches;
    expect(match).toEqual({ ...(await skills.match('fill the form')).matches[0], skill: { ...match?.skill } });
    expect(match?.score).toBeGreaterThan(0);
  });
});

test('matching a message reads the settings once per scan', async () => {
  const triggers = { keywords: ['form'] };
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [
        `home/.agent/skills/${name}/SKILL.md`,
        skillText({ description: name, triggers }),
      ]),
    ),
  });
  const skills = await open(world);
  const count = async (): Promise<number> => (await skills.match('the form')).matches.length;
  expect(await count()).toBe(3);
  writeTree(world.home, { '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  maxSkills: 1\n' });
  expect(await count()).toBe(3);
  await skills.refresh();
  expect(await count()).toBe(1);
});

test('everything public that must be closed has close(), for programs without `await using`', async () => {
  const world = makeWorld({});
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  const opened = [
    skills,
    skills.only('pdf'),
    SkillStore.over([], { home: world.home, env: world.env }),
    openSkillEvals(skills),
    createMcpServer(skills),
    await openTestSkills({}),
  ];
  for (const one of opened.toReversed()) expect(await one.close()).toBeUndefined();
});
