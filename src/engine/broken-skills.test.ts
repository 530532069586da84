import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { link, skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import type { AgentTool } from '../agent/agent-tool.ts';
import { agentTools } from '../agent/agent-tools.ts';
import { SkillContextProvider } from '../agent/context-provider.ts';
import { forAgent } from '../agent/for-agent.ts';
import { resolvePinned } from '../agent/pinned.ts';
import { expandSlashCommand, slashCommands } from '../agent/slash-commands.ts';
import { discoverSkills } from '../catalog/discover.ts';
import { createGateway } from '../ctx/gateway.ts';
import { disable, enable } from '../install/switch.ts';
import { doctor } from './doctor/doctor.ts';
import { openSkills, type Skills } from './open-skills.ts';

const BROKEN = '---\nname: forms\ndescription: &a Fill forms.\nmore: *a\n---\n\nFill the form.\n';
const TREE: Tree = {
  'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
  'home/.agent/skills/forms/SKILL.md': BROKEN,
  'home/.agent/skills/forms/scripts/run.sh': 'echo ran\n',
  'home/.agent/skills/closed/SKILL.md/': '',
  'home/.agent/skills/letters/SKILL.md': skillText({ name: 'letters', description: 'Write letters.' }),
};

async function open(tree: Tree = TREE): Promise<{ world: World; skills: Skills }> {
  const world = makeWorld(tree);
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills };
}

test('loading a broken skill says what is wrong, where, and how to fix it', async () => {
  const { world, skills } = await open();
  const dir = join(world.home, '.agent/skills/forms');
  expect(skills.find('forms')).toMatchObject({ ok: true, skill: { id: 'forms', status: 'broken' } });
  const failure = {
    ok: false,
    code: 'PARSE_FAILED',
    message: `cannot read "forms": ${dir}/SKILL.md:4: the frontmatter cannot be read: aliases (*name) are not allowed`,
    next: { do: 'fix', path: dir },
  };
  expect(await skills.load('forms')).toEqual(failure);
  expect(await skills.load('forms', { includeDisabled: true, includeUnavailable: true })).toEqual(failure);
  expect(skills.loader.readResource('forms', 'scripts/run.sh')).toEqual(failure);
  expect(await skills.scripts.run('forms', 'scripts/run.sh')).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
  expect(await skills.load('closed')).toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('it is not a regular file'),
    next: { edit: expect.stringMatching(/closed\/SKILL\.md$/) },
  });
});

test('no model sees a broken skill in a prompt, a list, a search or a command', async () => {
  const { world, skills } = await open();
  const shown = [
    await skills.prompt(),
    await skills.search({ query: 'forms' }),
    await skills.search({ query: '', view: 'model' }),
    await skills.match('Fill the forms, please'),
    SkillContextProvider.over(skills).getSkillNames(),
    await slashCommands(skills),
    await skills.toolsets.list(),
    (await discoverSkills({ cwd: world.project, home: world.home, env: world.env })).skills,
    await Promise.all(
      agentTools(skills)
        .filter(({ name }) => name === 'list_skills' || name === 'search_skills')
        .map((tool) => tool.execute({ query: 'letters' })),
    ),
  ];
  expect(JSON.stringify(shown)).toContain('letters');
  expect(JSON.stringify(shown)).not.toContain('forms"');
  expect(JSON.stringify(shown)).not.toContain('closed');
});

test('load_skill answers the name of a broken skill with a step for the user', async () => {
  const { skills } = await open();
  const load = agentTools(skills).find(({ name }) => name === 'load_skill');
  expect(await load?.execute({ name: 'forms' })).toMatchObject({
    ok: false,
    code: 'PARSE_FAILED',
    message: expect.stringMatching(/ Only the user may do this; .*`skillplane validate --fix /),
  });
  expect(await load?.execute({ name: 'lettres' })).toMatchObject({
    message: expect.stringContaining('There is no skill "lettres". Nearest: letters.') as string,
  });
});

test('a broken skill works as soon as its file is fixed and scanned again', async () => {
  const { world, skills } = await open();
  writeFileSync(join(world.home, '.agent/skills/forms/SKILL.md'), BROKEN.replace('&a ', '').replace('more: *a\n', ''));
  expect(await skills.refresh()).toMatchObject({
    added: [],
    changed: [{ name: 'forms', status: 'enabled' }],
    removed: [],
  });
  expect(await skills.load('forms')).toMatchObject({ ok: true, body: 'Fill the form.' });
});

test('doctor reports broken skills as errors unless they are disabled', async () => {
  const { world } = await open({
    ...TREE,
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [closed]\n',
    'home/.claude/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Another copy.' }),
  });
  const checks = await doctor({ cwd: world.project, home: world.home, env: world.env });
  const skills = checks.filter(({ area }) => area === 'skills');
  expect(skills).toMatchObject([
    { status: 'info', detail: '4 skills, 2 of them broken, 0 copies not used' },
    { status: 'info', detail: expect.stringMatching(/^cannot read "closed": /) },
    {
      status: 'error',
      detail: expect.stringMatching(/SKILL\.md:4: .*; \S+\.claude\/skills\/forms\/SKILL\.md is used instead$/),
      next: { do: 'fix', path: expect.stringMatching(/forms$/) },
    },
  ]);
});

describe.each([
  ['without frontmatter', '# Memo\n\nWrite memos.\n', 'it has no frontmatter and so no description'],
  ['without a description', '---\nname: memo\n---\n\nWrite memos.\n', 'it has no description'],
  [
    'with recovered frontmatter and no description',
    '---\nname: memo\ntags: [a] [b]\n---\n\nText.\n',
    'it has no description',
  ],
])("a skill %s in the user's own folder", (_, text, reason) => {
  const tree = { ...TREE, 'home/.agent/skills/memo/SKILL.md': text };

  test('is in the catalog as broken, with the reason and what to do', async () => {
    const { world, skills } = await open(tree);
    expect(skills.find('memo')).toMatchObject({
      ok: true,
      skill: {
        name: 'memo',
        status: 'broken',
        available: false,
        reasons: [`${reason}, and skills in this folder need one`],
        next: {
          advice: expect.stringContaining(
            `Write a description into ${join(world.home, '.agent/skills/memo/SKILL.md')}`,
          ),
        },
      },
    });
    expect(skills.catalog().diagnostics).toContainEqual(
      expect.objectContaining({ code: 'DESCRIPTION_MISSING', severity: 'error' }),
    );
    expect(JSON.stringify([await skills.prompt(), await skills.search('memo')])).not.toContain('emo');
  });

  test('is said to be broken by every door that takes a name', async () => {
    const { world, skills } = await open(tree);
    const place = { cwd: world.project, home: world.home, env: world.env };
    const gateway = createGateway(skills, { write: 'user' });
    const tool = (name: string): AgentTool | undefined => agentTools(skills).find((one) => one.name === name);
    const doors: Readonly<Record<string, unknown>> = {
      load: await skills.load('memo'),
      'load of a disabled one': await skills.load('memo', { includeDisabled: true, includeUnavailable: true }),
      resources: skills.loader.resources('memo'),
      readResource: skills.loader.readResource('memo', 'SKILL.md'),
      readUrl: skills.loader.readUrl('skill://memo'),
      'scripts.list': skills.scripts.list('memo'),
      'scripts.run': await skills.scripts.run('memo', 'a.sh'),
      'trust.inspect': await skills.trust.inspect('memo'),
      'trust.grant': await skills.trust.grant('memo', ''),
      enable: await enable('memo', place),
      create: await skills.writing.create({ name: 'memo', description: 'Memos.', body: 'Text.' }),
      load_skill: await tool('load_skill')?.execute({ name: 'memo' }),
      read_skill_resource: await tool('read_skill_resource')?.execute({ url: 'skill://memo' }),
      'CTX !s': await gateway.handle('!s memo'),
      'CTX ?s': await gateway.handle('?s memo'),
      'CTX +s': await gateway.handle('+s memo content="Text."'),
      'slash command': await expandSlashCommand(skills, '/skill:memo now'),
      pinned: await resolvePinned(skills, ['memo']),
      preload: await forAgent(skills, { preload: 'memo' }),
    };
    for (const [door, answer] of Object.entries(doors))
      expect([door, answer]).toEqual([
        door,
        expect.objectContaining({
          ok: false,
          message: expect.stringMatching(new RegExp(`(?:cannot read|is broken).*: .*${reason}`)),
        }),
      ]);
    expect(await disable('memo', place)).toMatchObject({ ok: true, skill: { status: 'broken', enabled: false } });
  });

  test('works once it is given a description', async () => {
    const { skills } = await open(tree);
    const gateway = createGateway(skills, { write: 'user' });
    expect(await gateway.handle('~s memo description="Writes memos."')).toMatchObject({ ok: true });
    expect(await gateway.handle('!s memo')).toMatchObject({ ok: true, skill: { description: 'Writes memos.' } });
  });
});

test('a copy without a description gives its name to one that works, and is still listed', async () => {
  const { skills } = await open({
    ...TREE,
    'home/.agent/skills/memo/SKILL.md': '# Memo\n',
    'home/.claude/skills/memo/SKILL.md': skillText({ name: 'memo', description: 'Write memos.' }),
    'home/.agent/skills/bare/SKILL.md': '# Bare\n\nDo it.\n',
    'home/.claude/skills/bare': link('../../.agent/skills/bare'),
  });
  expect(skills.find('memo')).toMatchObject({ ok: true, skill: { source: 'claude-user', status: 'enabled' } });
  expect(skills.copies().map(({ name, source, status }) => `${name} ${source} ${status}`)).toEqual(
    expect.arrayContaining(['memo user broken', 'bare claude-user enabled']),
  );
});
