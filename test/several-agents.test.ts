import { expect, onTestFinished, test } from 'vitest';

import { callTool } from '../src/agent/call-tool.ts';
import { forAgent, type AgentStart, type ForAgentOptions } from '../src/agent/for-agent.ts';
import { expandSlashCommand, slashCommands } from '../src/agent/slash-commands.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { skillText, writeTree } from './support/tree.ts';
import { makeWorld, type World } from './support/world.ts';

const DIR = 'home/.agent/skills';

/** Skills of two trades; all of them answer to the same words. */
function makeSkill(name: string): Readonly<Record<string, string>> {
  const fields = { name, description: `Fill forms with ${name}.`, triggers: { keywords: ['form'] } };
  return {
    [`${DIR}/${name}/SKILL.md`]: skillText(fields, `Do it as ${name} does. See references/${name}.md.\n`),
    [`${DIR}/${name}/references/${name}.md`]: `Notes of ${name}.\n`,
    [`${DIR}/${name}/scripts/${name}.sh`]: `echo "ran ${name}"\n`,
  };
}

const TRADES = {
  law: { own: ['law-court', 'law-deed'], other: /ship/, selection: 'law-*' },
  ship: { own: ['ship-deck', 'ship-mast'], other: /law/, selection: ['ship-deck', 'ship-mast'] },
} as const;

type Trade = keyof typeof TRADES;

async function open(): Promise<{ readonly world: World; readonly skills: Skills }> {
  const names = [...TRADES.law.own, ...TRADES.ship.own];
  const world = makeWorld(
    {
      'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      ...Object.assign({}, ...names.map(makeSkill)),
    },
    { PATH: '/usr/bin:/bin' },
  );
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills };
}

async function start(skills: Skills, trade: Trade, options: ForAgentOptions = {}): Promise<AgentStart> {
  const { selection } = TRADES[trade];
  const given = { agent: trade, skills: selection, list: true, run: true, write: true, ...options };
  const started = await forAgent(skills, given);
  if (!started.ok) throw new Error(started.message);
  return started;
}

const CALLS = [
  ['list_skills', {}],
  ['search_skills', { query: 'fill forms' }],
  ['search_skills', { query: 'NAME' }],
  ['load_skill', { name: 'NAME' }],
  ['read_skill_resource', { url: 'skill://NAME/references/NAME.md' }],
  ['read_skill_resource', { name: 'NAME', path: 'references/NAME.md' }],
  ['run_skill_script', { name: 'NAME', script: 'NAME.sh' }],
  ['write_skill', { name: 'NAME', description: 'Mine.', content: 'x' }],
] as const;

function fill<T>(value: T, name: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('NAME', name)) as T;
}

test.each([
  ['law', 'ship'],
  ['ship', 'law'],
] as const)('of two agents that share an engine, %s learns nothing about the skills of %s', async (mine, theirs) => {
  const { skills } = await open();
  const [agent, neighbour] = await Promise.all([start(skills, mine), start(skills, theirs)]);
  const { own, other } = TRADES[mine];
  const target = TRADES[theirs].own[0];
  await neighbour.skills.load(target);

  const outline = agent.tools.map((tool) => [tool.name, tool.description, tool.schema()]);
  const shown = { system: agent.system, outline, commands: await slashCommands(agent.skills) };
  for (const name of own) expect(JSON.stringify(shown)).toContain(name);
  expect(JSON.stringify(shown)).not.toMatch(other);

  for (const [name, args] of CALLS) {
    const { text } = await callTool(agent.tools, { name, args: fill(args, target) });
    // A refusal may repeat the name that was asked for, and says no more.
    expect([name, text.replaceAll(target, '')]).toEqual([name, expect.not.stringMatching(other)]);
    expect(text).not.toMatch(/Notes of|ran |Do it as/);
  }
  const typed = await expandSlashCommand(agent.skills, `/skill:${target} x`);
  expect(typed).toMatchObject({
    ok: false,
    message: expect.not.stringMatching(new RegExp(`(?<!/skill:)${other.source}`)),
  });
  const { text, matches } = await agent.skills.disclosure.disclose('fill the form');
  expect(text).not.toMatch(other);
  expect(matches.map(({ skill }) => skill.name).sort()).toEqual(own);
});

test('each agent that shares an engine can use its own skills and has its own history', async () => {
  const { skills } = await open();
  for (const trade of ['law', 'ship'] as const) {
    const { tools, skills: view } = await start(skills, trade);
    const [name] = TRADES[trade].own;
    const call = async (at: number): Promise<string> => {
      const [tool, args] = CALLS[at] ?? CALLS[0];
      return (await callTool(tools, { name: tool, args: fill(args, name) })).text;
    };
    expect(await call(0)).toContain(`- ${name}:`);
    expect(await call(1)).toContain(`- ${name}:`);
    expect(await call(3)).toContain(`Do it as ${name} does.`);
    expect(await call(4)).toContain(`Notes of ${name}.`);
    expect(await call(6)).toContain(`ran ${name}`);
    expect(await expandSlashCommand(view, `/skill:${name}`)).toMatchObject({ ok: true });
    expect((await start(skills, trade, { topN: 1 })).system).toMatch(
      new RegExp(`## Last used skills\n\n- \\*\\*${name}`),
    );
  }
});

test('an agent sees a skill added on disk only if it is among its own', async () => {
  const { skills, world } = await open();
  const [law, ship] = [await start(skills, 'law'), await start(skills, 'ship')];
  writeTree(world.root, makeSkill('law-oath'));
  const search = async ({ tools }: AgentStart): Promise<string> =>
    (await callTool(tools, { name: 'search_skills', args: { query: 'law-oath' } })).text;
  expect(await search(law)).toContain('- law-oath:');
  expect(await search(ship)).not.toContain('- law-oath');
});

test('an agent that may write can use the skill it wrote, and another agent cannot', async () => {
  const { skills } = await open();
  const [law, ship] = [await start(skills, 'law'), await start(skills, 'ship')];
  const call = async ({ tools }: AgentStart, name: string, args: object): Promise<string> =>
    (await callTool(tools, { name, args })).text;
  const draft = { name: 'oath', description: 'Swear an oath.', content: 'Raise a hand.' };
  expect(await call(law, 'write_skill', draft)).toBe('create_skill:oath');
  expect(await call(law, 'write_skill', { ...draft, content: 'Raise the right hand.' })).toBe('update_skill:oath');
  expect(await call(law, 'load_skill', { name: 'oath' })).toContain('Raise the right hand.');
  expect(await call(law, 'list_skills', { by_agents: true })).toContain('- oath:');
  expect(await call(ship, 'load_skill', { name: 'oath' })).toMatch(/^There is no skill "oath"\./);
  expect(await call(ship, 'write_skill', draft)).toContain('the name "oath" is taken');
});
