import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { ActivationLedger } from './activation-ledger.ts';
import { forAgent, type AgentStart, type ForAgentOptions } from './for-agent.ts';

const DIR = 'home/.agent/skills';
const PDF = skillText({ name: 'pdf', description: 'Fill PDF forms.' }, 'Read references/tables.md.\n');
const TREE: Tree = {
  'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
  [`${DIR}/pdf/SKILL.md`]: PDF,
  [`${DIR}/pdf/references/tables.md`]: '# Tables\n',
  [`${DIR}/mail/SKILL.md`]: skillText({ name: 'mail', description: 'Write letters.' }),
  [`${DIR}/zip/SKILL.md`]: skillText({ name: 'zip', description: 'Pack files.' }),
  [`${DIR}/off/SKILL.md`]: skillText({ name: 'off', description: 'Off.' }),
  [`${DIR}/secret/SKILL.md`]: skillText({ description: 'Hidden.', 'disable-model-invocation': true }),
  [`${DIR}/broken/SKILL.md`]: '---\ndescription: &a Fill forms.\nmore: *a\n---\n',
  'project/AGENTS.md': 'Use tabs.\n',
};

async function open(tree: Tree = TREE): Promise<{ readonly world: World; readonly skills: Skills }> {
  const world = makeWorld(tree);
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills };
}

async function start(skills: Skills, options?: ForAgentOptions): Promise<AgentStart> {
  const started = await forAgent(skills, options);
  if (!started.ok) throw new Error(started.message);
  return started;
}

const toolNames = ({ tools }: AgentStart): readonly string[] => tools.map(({ name }) => name);

describe('forAgent’s system prompt', () => {
  test('has the agent’s own prompt, AGENTS.md, preloaded skills in full, then the list of skills', async () => {
    const { skills, world } = await open();
    const { system } = await start(skills, {
      system: 'You are a clerk.\n',
      skills: ['pdf', 'zip', 'mail'],
      pinned: ['zip'],
      preload: ['pdf'],
      contextFiles: true,
      topN: 0,
    });
    expect(system).toBe(`You are a clerk.

<context_files>
<context_file path="${join(world.project, 'AGENTS.md')}" level="project" depth="0">
Use tabs.
</context_file>
</context_files>

These skills are loaded already: follow them where they apply, and do not load them again.
<preloaded_skills>
<skill name="pdf">
Skill directory: ${join(world.home, '.agent/skills/pdf')}
Files: references/tables.md

${PDF}</skill>
</preloaded_skills>

## Pinned skills

- **zip** — Pack files.

Call \`search_skills\` to discover 1 more skill.`);
  });

  test('lists every skill of the agent, pinned ones first, after the words that say what to do', async () => {
    const { skills } = await open();
    const { system } = await start(skills, { pinned: ['zip'] });
    expect(system).toMatch(/^## Skills\n\nSkills are instructions .* call load_skill with its name first .*\n/);
    expect(system.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- zip: Pack files.',
      '- mail: Write letters.',
      '- pdf: Fill PDF forms.',
    ]);
  });

  test('describes the skills that serve the first message if not all descriptions fit', async () => {
    const describe = (topic: string): string =>
      `Handles ${topic} from the first draft to the last check, in every form that our office knows. Use when ${topic} must be done.`;
    const topics = ['letters', 'invoices', 'contracts', 'minutes', 'timetables', 'budgets', 'orders', 'complaints'];
    const { skills } = await open({
      'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      ...Object.fromEntries(
        topics.map((topic) => [`${DIR}/${topic}/SKILL.md`, skillText({ description: describe(topic) })]),
      ),
    });
    const isWhole = async (topic: string, message?: string): Promise<boolean> =>
      (await start(skills, { message, budget: 250 })).system.includes(`\n- ${topic}: ${describe(topic)}`);
    expect(await isWhole('minutes', 'Please write the minutes of this meeting')).toBe(true);
    expect(await isWhole('orders', 'Check our open orders')).toBe(true);
    expect(await isWhole('minutes')).toBe(false);
  });

  test('is empty if the agent has no skills and no prompt', async () => {
    const { skills } = await open();
    expect(await start(skills, { skills: [] })).toMatchObject({ system: '', tools: [] });
  });

  test('lists the skills that this agent or its team last used, not those of other teams', async () => {
    const { skills } = await open();
    const clerk = await start(skills, { agent: 'clerk', team: 'office', topN: 1 });
    await clerk.tools.find(({ name }) => name === 'load_skill')?.execute({ name: 'mail' });
    const writer = await start(skills, { agent: 'writer', team: 'press', topN: 1 });
    await writer.skills.load('zip');
    const sectionOf = async (options: ForAgentOptions): Promise<string> =>
      (await start(skills, { topN: 1, ...options })).system;
    expect(await sectionOf({ agent: 'clerk', team: 'office' })).toMatch(/^## Last used skills\n\n- \*\*mail\*\*/);
    expect(await sectionOf({ agent: 'writer', team: 'press' })).toMatch(/^## Last used skills\n\n- \*\*zip\*\*/);
    expect(await sectionOf({ agent: 'new', team: 'office' })).toMatch(/^## Last used skills\n\n- \*\*mail\*\*/);
    expect(await sectionOf({ agent: 'new', team: 'other' })).toMatch(/^## Recently changed skills\n/);
  });
});

describe('forAgent’s tools', () => {
  test('match the rights given, and the system prompt names one of them', async () => {
    const { skills } = await open();
    const reading = ['load_skill', 'search_skills', 'read_skill_resource'];
    for (const [options, names] of [
      [{}, reading],
      [{ run: true, write: true }, [...reading, 'run_skill_script', 'write_skill']],
      [{ list: true }, ['list_skills', ...reading]],
    ] as const) {
      const agent = await start(skills, { ...options, topN: 1 });
      expect(toolNames(agent)).toEqual(names);
      expect(names).toContain(/Call `(\w+)` to discover 2 more skills/.exec(agent.system)?.[1]);
    }
  });

  test('do not repeat the text of a preloaded skill if there is a ledger', async () => {
    const { skills } = await open();
    const { tools } = await start(skills, { preload: ['pdf'], ledger: new ActivationLedger() });
    expect(await tools[0]?.execute({ name: 'pdf' })).toMatchObject({ metadata: { isRepeated: true } });
  });
});

describe('a skill name given to forAgent', () => {
  test('that is unknown is refused, with the most similar names', async () => {
    const { skills } = await open();
    expect(await forAgent(skills, { skills: ['pfd', 'mail', 'zpi'] })).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: 'skills: no skills called "pfd", "zpi"; available: pdf, zip, mail',
    });
    expect(await forAgent(skills, { skills: 'pfd' })).toMatchObject({
      message: 'skills: no skill called "pfd"; available: pdf, zip, mail',
    });
    expect(await forAgent(skills, { pinned: ['mial'] })).toMatchObject({
      message: 'pinned: no skill called "mial"; available: mail, zip, pdf',
    });
    expect(await forAgent(skills, { preload: ['p\u{E0041}df'] })).toMatchObject({
      message: expect.stringContaining(String.raw`preload: no skill called "p\u{e0041}df"; `),
    });
  });

  test('that is outside the agent’s own skills is refused with the option that has to name it', async () => {
    const { skills } = await open();
    expect(await forAgent(skills, { skills: ['mail'], preload: ['pdf'] })).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: 'preload: no skill called "pdf"; available: mail',
      next: { give: 'skills', as: ['pdf'], aim: 'let this agent have them' },
    });
  });

  test.each([
    ['off', 'SKILL_NOT_FOUND', /^preload: cannot load "off": disabled by you \(config\.yaml\)$/],
    ['secret', 'NOT_ALLOWED', /^preload: the skill "secret" is hidden from models/],
    ['broken', 'PARSE_FAILED', /^cannot read "broken": /],
  ])('that the model may not see (%s) is refused with the reason', async (name, code, message) => {
    const { skills } = await open();
    expect(await forAgent(skills, { preload: [name] })).toMatchObject({
      ok: false,
      code,
      message: expect.stringMatching(message),
    });
    expect(await forAgent(skills, { pinned: [name] })).toMatchObject({ ok: false, code });
    expect(await forAgent(skills, { skills: [name] })).toMatchObject({ ok: true });
  });

  test('may be a folder name, in another case, or a glob that matches nothing yet', async () => {
    const { skills, world } = await open({
      ...TREE,
      [`${DIR}/forms/SKILL.md`]: skillText({ name: 'Fill-Forms', description: 'Forms.' }),
    });
    const agent = await start(skills, { skills: ['forms', 'z*', 'later-*'], pinned: 'FORMS', topN: 0 });
    expect(agent.system).toContain('- **Fill-Forms** — Forms.');
    writeTree(world.root, { [`${DIR}/later-on/SKILL.md`]: skillText({ description: 'Later.' }) });
    expect(await agent.tools[0]?.execute({ name: 'later-on' })).toMatchObject({ ok: true });
  });

  test('may be that of a skill that was just added on disk', async () => {
    const { skills, world } = await open();
    writeTree(world.root, { [`${DIR}/new/SKILL.md`]: skillText({ description: 'New.' }, 'New text.\n') });
    expect((await start(skills, { skills: ['new'], preload: 'new' })).system).toContain('New text.');
  });
});

test('forAgent accepts a function that selects the agent’s skills', async () => {
  const { skills } = await open();
  const { system } = await start(skills, { skills: ({ description }) => description.includes('letters') });
  expect(system).toMatch(/\n\n- mail: Write letters\.$/);
  expect(system).not.toContain('pdf');
});
