import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { AgentToolOutputs } from '../src/agent/agent-tool-outputs.ts';
import { agentTools } from '../src/agent/agent-tools.ts';
import { callTool } from '../src/agent/call-tool.ts';
import { forAgent, type AgentStart, type ForAgentOptions } from '../src/agent/for-agent.ts';
import { toolSet } from '../src/ai-sdk.ts';
import { openSkills, type OpenOptions, type Skills } from '../src/engine/open-skills.ts';
import { skillText, type Tree } from './support/tree.ts';
import { makeWorld } from './support/world.ts';

const TOOLSET = `
export const Forms = [
  { name: 'fill_form', description: 'Fills a form.', execute: () => 'filled' },
  { name: 'load_skill', description: 'Not ours.', execute: () => 'mine' },
];`;

/** The skills that a program ships, and a user's own, which it does not open. */
const TREE: Tree = {
  'home/.agent/skills/diary/SKILL.md': skillText({ name: 'diary', description: 'Private.' }),
  'shipped/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill forms.', toolsets: ['forms.mjs:Forms'] }),
  'shipped/forms/forms.mjs': TOOLSET,
  'shipped/forms/scripts/fill.sh': 'cat "$1" references/head.txt > filled.txt\n',
  'shipped/forms/references/head.txt': 'head\n',
  'shipped/letters/SKILL.md': skillText({ name: 'letters', description: 'Write letters.' }),
  'data.txt': 'data\n',
};

async function openShipped(options: Partial<OpenOptions> = {}, tree: Tree = {}): Promise<Skills> {
  const { root, home, env } = makeWorld({ ...TREE, ...tree }, { PATH: '/usr/bin:/bin' });
  const dirs = [{ path: 'shipped', trusted: true }];
  const skills = await openSkills({ cwd: root, home, env, dirs, ...options });
  onTestFinished(() => skills.close());
  return skills;
}

async function start(skills: Skills, options: ForAgentOptions = {}): Promise<AgentStart> {
  const started = await forAgent(skills, options);
  if (!started.ok) throw new Error(started.message);
  return started;
}

async function call({ tools }: AgentStart, name: string, args: object): Promise<string> {
  return (await callTool(tools, { name, args })).text;
}

const DRAFT = { name: 'stamps', description: 'Stamp letters. Use when a letter is sent.', content: 'Lick it.' };

describe('an agent over the skills that a program ships', () => {
  test('runs a script that writes a file, and the program gets the file', async () => {
    const skills = await openShipped();
    const agent = await start(skills, { run: true, saveTo: 'made' });
    const args = { name: 'forms', script: 'fill.sh', args: ['data.txt'], inputs: ['data.txt'] };
    expect(await call(agent, 'run_skill_script', args)).toContain('filled.txt (10 bytes)');
    expect(readFileSync(join(skills.environment.cwd, 'made/filled.txt'), 'utf8')).toBe('data\nhead\n');
  });

  test('is told which file to give to a script that did not see it', async () => {
    const agent = await start(await openShipped(), { run: true });
    const text = await call(agent, 'run_skill_script', { name: 'forms', script: 'fill.sh', args: ['data.txt'] });
    expect(text).toMatch(/data\.txt[^]*inputs/);
  });

  test('has the tools of trusted skills, and load_skill names them', async () => {
    const agent = await start(await openShipped(), { toolsets: true });
    const names = agent.tools.map(({ name }) => name);
    expect(names).toEqual(['load_skill', 'search_skills', 'read_skill_resource', 'fill_form', 'forms_load_skill']);
    expect(await call(agent, 'fill_form', {})).toBe('filled');
    expect(await call(agent, 'load_skill', { name: 'forms' })).toMatch(
      /Call its tools directly: fill_form, forms_load_skill\.$/,
    );
    expect(await call(agent, 'load_skill', { name: 'letters' })).not.toContain('fill_form');
    expect(agent.failures).toEqual([]);
  });

  test('has no tool of a skill that is not its own or not trusted, and the program is told why', async () => {
    const other = await start(await openShipped(), { toolsets: true, skills: ['letters'] });
    expect(other.tools.map(({ name }) => name)).not.toContain('fill_form');
    const untrusted = await start(await openShipped({ dirs: ['shipped'] }), { toolsets: true });
    expect(untrusted.tools.map(({ name }) => name)).not.toContain('fill_form');
    expect(untrusted.failures).toMatchObject([{ skill: 'forms', code: 'NOT_TRUSTED' }]);
  });

  test('has the commands that its users can type, and their messages', async () => {
    const agent = await start(await openShipped(), { skills: ['letters'] });
    expect(agent.commands.map(({ name }) => name)).toEqual(['skill:letters']);
    expect(await agent.expand('/skill:letters to Ann')).toMatchObject({ ok: true, args: 'to Ann' });
    expect(await agent.expand('Write a letter')).toBeUndefined();
  });

  test('that may write is refused at its start if it has no folder to write to', async () => {
    const skills = await openShipped();
    expect(await forAgent(skills, { write: true })).toMatchObject({
      ok: false,
      code: 'STORE_FAILED',
      message: 'there is no folder for skills that agents write',
    });
    const answer = await callTool(agentTools(skills, { write: true }), { name: 'write_skill', args: DRAFT });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('`forAgent(skills, { writesTo:') });
  });

  test('begins with a history of its own, not with that of the person or of other agents', async () => {
    const skills = await openShipped();
    await skills.load('letters');
    const last = async (agent: AgentStart): Promise<readonly string[]> => [
      ...(await agent.skills.usage.lastUsed(['letters', 'forms'])).keys(),
    ];
    const clerk = await start(skills, { agent: 'clerk' });
    expect(await last(clerk)).toEqual([]);
    await clerk.skills.load('forms');
    expect(await last(await start(skills, { agent: 'clerk' }))).toEqual(['forms']);
    expect(await last(await start(skills, { agent: 'typist' }))).toEqual([]);
    // Agents of a team begin with what the team knows.
    await (await start(skills, { agent: 'one', team: 'office' })).skills.load('letters');
    expect(await last(await start(skills, { agent: 'two', team: 'office' }))).toEqual(['letters']);
  });
});

describe('an agent with a folder for what it learns', () => {
  test('writes there, finds it at once and when it is started again, and other agents do not', async () => {
    const skills = await openShipped();
    const clerk = await start(skills, { skills: ['letters'], writesTo: 'learned' });
    expect(await call(clerk, 'write_skill', DRAFT)).toBe('create_skill:stamps');
    const file = join(skills.environment.cwd, 'learned/stamps/SKILL.md');
    expect(readFileSync(file, 'utf8')).toContain('Lick it.');
    const again = await start(skills, { skills: ['letters'], writesTo: 'learned' });
    for (const agent of [clerk, again]) {
      expect(await call(agent, 'search_skills', { query: 'stamp a letter' })).toContain('- stamps:');
      expect(await call(agent, 'load_skill', { name: 'stamps' })).toContain('Lick it.');
    }
    expect(again.system).toContain('- stamps: Stamp letters.');
    expect(await call(again, 'write_skill', { ...DRAFT, content: 'Use glue.' })).toBe('update_skill:stamps');
    expect(await call(clerk, 'load_skill', { name: 'stamps' })).toContain('Use glue.');
    const other = await start(skills);
    expect(other.system).not.toContain('stamps');
    expect(await call(other, 'load_skill', { name: 'stamps' })).toMatch(/^There is no skill "stamps"\./);
    expect(await other.skills.search('stamp a letter')).not.toContainEqual(expect.objectContaining({ name: 'stamps' }));
  });

  test('may have the same names as another agent in another folder', async () => {
    const skills = await openShipped();
    const [one, two] = [await start(skills, { writesTo: 'one' }), await start(skills, { writesTo: 'two' })];
    expect(await call(one, 'write_skill', DRAFT)).toBe('create_skill:stamps');
    expect(await call(two, 'write_skill', { ...DRAFT, content: 'Use glue.' })).toBe('create_skill:stamps');
    expect(await call(one, 'load_skill', { name: 'stamps' })).toContain('Lick it.');
    expect(await call(two, 'load_skill', { name: 'stamps' })).toContain('Use glue.');
  });

  test('changes no skill elsewhere, even if an agent wrote it', async () => {
    const theirs = skillText({ name: 'notes', description: 'Take notes.', creator: 'agent' });
    const skills = await openShipped({ dirs: undefined }, { 'home/.agent/skills/notes/SKILL.md': theirs });
    const clerk = await start(skills, { writesTo: 'learned', list: true });
    expect(await call(clerk, 'write_skill', { ...DRAFT, name: 'notes' })).toContain('the name "notes" is taken');
    expect(await clerk.skills.writing.update('notes', { body: 'x' }, { by: 'agent' })).toMatchObject({ ok: false });
    expect(await call(clerk, 'list_skills', { by_agents: true })).toBe('No skills available.');
  });

  test('keeps a skill whose name a shipped one takes later, as its shadow', async () => {
    const skills = await openShipped(
      {},
      { 'learned/letters/SKILL.md': skillText({ name: 'letters', description: 'L.' }) },
    );
    const { skills: own } = await start(skills, { writesTo: 'learned' });
    expect(own.get('letters')?.description).toBe('Write letters.');
    expect(own.copies().filter(({ name }) => name === 'letters')).toHaveLength(2);
  });

  test('is told of a change in the folder that another agent makes', async () => {
    const skills = await openShipped();
    const { skills: own } = await start(skills, { writesTo: 'learned' });
    const seen = Promise.withResolvers<readonly string[]>();
    const watch = await own.watch(({ added }) => seen.resolve(added.map(({ name }) => name)), { debounceMs: 10 });
    onTestFinished(() => watch.close());
    const other = await start(skills, { writesTo: 'learned' });
    await call(other, 'write_skill', DRAFT);
    expect(await seen.promise).toEqual(['stamps']);
  });

  test('works over a plain list of skills', async () => {
    const skills = await openShipped();
    const agent = await forAgent(skills.list(), { writesTo: join(skills.environment.cwd, 'learned') });
    if (!agent.ok) throw new Error(agent.message);
    expect(await call(agent, 'write_skill', DRAFT)).toBe('create_skill:stamps');
    expect(await call(agent, 'load_skill', { name: 'stamps' })).toContain('Lick it.');
  });
});

test('list, get and tools tell what can be used', async () => {
  const skills = await openShipped({ config: { disabled: ['letters'] } });
  expect(skills.list().map(({ name }) => name)).toEqual(['forms']);
  expect(skills.get('forms')?.description).toBe('Fill forms.');
  expect([skills.get('letters'), skills.get('nothing')]).toEqual([undefined, undefined]);
  expect((await skills.tools()).map(({ name }) => name)).toEqual(['fill_form', 'load_skill']);
});

test('every tool answers as AgentToolOutputs says', async () => {
  const keys: { readonly [Name in keyof AgentToolOutputs]: Record<keyof AgentToolOutputs[Name], true> } = {
    list_skills: { count: true, output: true },
    load_skill: { name: true, dir: true, digest: true, tokens: true, isRepeated: true, output: true },
    search_skills: { results: true, partial: true, output: true },
    read_skill_resource: { url: true, contentType: true, size: true, output: true },
    run_skill_script: {
      skill: true,
      script: true,
      succeeded: true,
      exitCode: true,
      signal: true,
      ended: true,
      isolation: true,
      truncated: true,
      outputDir: true,
      files: true,
      output: true,
    },
    write_skill: { name: true, path: true, action: true, output: true },
  };
  const tools = agentTools(await openShipped(), { list: true, run: true, write: true });
  expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(keys).toSorted());
  for (const { name, outputSchema } of tools) {
    const known: Record<string, Record<string, true>> = keys;
    // Its text is an answer of every tool.
    const said = [...new Set([...Object.keys(outputSchema.properties), 'output'])];
    expect([name, said.toSorted()]).toEqual([name, Object.keys(known[name] ?? {}).toSorted()]);
  }
});

test('toolSet asks for approval of exactly the tools that may change something, if the program wants it', async () => {
  const skills = await openShipped();
  const names = (set: object): readonly string[] =>
    Object.entries(set).flatMap(([name, tool]) => (tool.needsApproval === true ? [name] : []));
  expect(names(toolSet(skills, { run: true, write: true, needsApproval: true }))).toEqual([
    'run_skill_script',
    'write_skill',
  ]);
  expect(names(toolSet(skills, { run: true, write: true }))).toEqual([]);
  const agent = await start(skills, { toolsets: true });
  expect(names(toolSet(agent.tools, { needsApproval: true }))).toEqual(['fill_form', 'forms_load_skill']);
});
