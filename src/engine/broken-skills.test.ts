import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { agentTools } from '../agent/agent-tools.ts';
import { slashCommands } from '../agent/slash-commands.ts';
import { discoverSkills } from '../catalog/discover.ts';
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
    message: `the skill "forms" is broken: ${dir}/SKILL.md:4: the frontmatter cannot be read: aliases (*name) are not allowed`,
    hint: `\`fix ${dir}\` fixes what it can and names what is left to you.`,
  };
  expect(await skills.load('forms')).toEqual(failure);
  expect(await skills.load('forms', { includeDisabled: true, includeUnavailable: true })).toEqual(failure);
  expect(skills.loader.readResource('forms', 'scripts/run.sh')).toEqual(failure);
  expect(await skills.scripts.run('forms', 'scripts/run.sh')).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
  expect(await skills.load('closed')).toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('it is not a regular file'),
    hint: expect.stringContaining('by hand'),
  });
});

test('no model sees a broken skill in a prompt, a list, a search or a command', async () => {
  const { world, skills } = await open();
  const shown = [
    await skills.prompt(),
    await skills.search({ query: 'forms' }),
    await skills.search({ query: '', view: 'model' }),
    await skills.match('Fill the forms, please'),
    skills.disclosure.provider.getSkillNames(),
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

test('load_skill answers the name of a broken skill with a hint for the user', async () => {
  const { skills } = await open();
  const load = agentTools(skills).find(({ name }) => name === 'load_skill');
  expect(await load?.execute({ name: 'forms' })).toMatchObject({
    ok: false,
    code: 'PARSE_FAILED',
    hint: expect.stringMatching(/^Only the user may do this; .*`skillplane fix /),
  });
  expect(await load?.execute({ name: 'lettres' })).toMatchObject({
    message: 'Unknown skill: lettres. Available: letters',
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
    { status: 'info', detail: '4 skills, 2 of them broken, 0 shadowed copies' },
    { status: 'info', detail: expect.stringMatching(/^the skill "closed" is broken: /) },
    {
      status: 'error',
      detail: expect.stringMatching(/SKILL\.md:4: .*; \S+\.claude\/skills\/forms\/SKILL\.md is used instead$/),
      remedy: expect.stringContaining('`fix '),
    },
  ]);
});
