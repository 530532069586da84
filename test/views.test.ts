import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';

import { agentTools } from '../src/agent/agent-tools.ts';
import { callTool } from '../src/agent/call-tool.ts';
import { SkillContextProvider } from '../src/agent/context-provider.ts';
import { resolvePinned } from '../src/agent/pinned.ts';
import { expandSlashCommand, slashCommands } from '../src/agent/slash-commands.ts';
import { createGateway } from '../src/ctx/gateway.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { createMcpServer } from '../src/mcp/skill-server.ts';
import { skillText, writeTree } from './support/tree.ts';
import { makeWorld, type World } from './support/world.ts';

const DIR = 'home/.agent/skills';
const TOOLSET = `
  import { z } from 'zod';
  import { Tool } from '@agent/tools';
  export const T: unknown = Tool.define('NAME', {
    description: 'Does it.', parameters: z.object({}), execute: () => 'done',
  });`;

/** A skill with all that a skill can bring. Every one of them answers to the same words. */
function makeSkill(name: string, creator: string | undefined): Readonly<Record<string, string>> {
  const fields = {
    name,
    description: `Fill PDF forms with ${name}.`,
    tags: ['pdf'],
    always_present: true,
    triggers: { keywords: ['invoice'] },
    toolsets: ['tools:T'],
    ...(creator === undefined ? {} : { creator }),
  };
  return {
    [`${DIR}/${name}/SKILL.md`]: skillText(fields, `# ${name}\n\nFill the fields of forms, as ${name} does.\n`),
    [`${DIR}/${name}/references/${name}.md`]: name,
    [`${DIR}/${name}/scripts/${name}.sh`]: `#!/bin/sh\necho ${name}\n`,
    [`${DIR}/${name}/tools.ts`]: TOOLSET.replace('NAME', `${name}_tool`),
  };
}

/** Two skills that the view has, and four that it has not: one hidden, one broken, two as good as those. */
async function openView(): Promise<{ readonly world: World; readonly whole: Skills; readonly view: Skills }> {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    ...makeSkill('pdf', undefined),
    ...makeSkill('papers', 'agent'),
    ...makeSkill('okapi', undefined),
    ...makeSkill('zebra', 'agent'),
    [`${DIR}/quagga/SKILL.md`]: skillText({
      name: 'quagga',
      description: 'Invoice.',
      'disable-model-invocation': true,
    }),
    [`${DIR}/okapi-broken/SKILL.md`]: '---\nname: [\n',
    [`project/.agent/skills/okapi/SKILL.md`]: skillText({ name: 'okapi', description: 'Shadows okapi.' }),
  });
  const { project: cwd, home, env } = world;
  const whole = await openSkills({ cwd, home, env });
  onTestFinished(() => whole[Symbol.asyncDispose]());
  for (const name of ['pdf', 'papers', 'okapi', 'zebra']) await whole.load(name);
  return { world, whole, view: whole.only(['pdf', 'paper?']) };
}

const EXCLUDED = /okapi|zebra|quagga/i;

function expectNoLeak(answers: Readonly<Record<string, unknown>>): void {
  for (const [call, answer] of Object.entries(answers)) expect(`${call}: ${toText(answer)}`).not.toMatch(EXCLUDED);
}

function toText(answer: unknown): string {
  return JSON.stringify(answer, (_, value: unknown) => (value instanceof Map ? [...value] : value)) ?? '';
}

test('no answer of a view names a skill outside it', async () => {
  const { view } = await openView();
  const { disclosure, loader, scripts, toolsets, trust, writing, usage } = view;
  const snapshot = await disclosure.snapshot();
  const answers = {
    catalog: view.catalog(),
    copies: view.copies(),
    find: view.find('unknown'),
    search: await view.search({ query: 'fill pdf forms' }),
    'search model': await view.search({ query: 'fill pdf forms', view: 'model' }),
    'search all': await view.search({ query: '', limit: 100 }),
    match: await view.match('an invoice'),
    suggestions: await view.match('fill pdf forms'),
    prompt: await view.prompt(),
    'prompt message': await view.prompt({ message: 'an invoice' }),
    load: await view.load('unknown'),
    disclose: await disclosure.disclose('an invoice'),
    'disclose all': await disclosure.disclose('list all skills'),
    'disclose none': await disclosure.disclose('hello'),
    section: await disclosure.promptSection(1),
    snapshot,
    delta: disclosure.delta(snapshot),
    tier1: SkillContextProvider.over(view).getSkillNames(),
    resources: loader.resources('pdf'),
    resource: loader.readResource('pdf', 'unknown'),
    url: loader.readUrl('skill://unknown/x'),
    scripts: scripts.list('unknown'),
    run: await scripts.run('unknown', 'x'),
    toolsets: await toolsets.list(),
    call: await toolsets.call('pdf', 'unknown', { args: {} }),
    inspect: await trust.inspect('unknown'),
    update: await writing.update('unknown', {}),
    remove: await writing.remove('unknown'),
    history: await usage.history({ until: Date.now() + 1_000, buckets: 1 }),
    report: await view.usageReport({ until: Date.now() + 1_000 }),
    refresh: await view.refresh(),
    commands: await slashCommands(view),
    pinned: await resolvePinned(view, ['unknown']),
  };
  expectNoLeak(answers);
  expect(answers.section).toMatchObject({ shown: ['papers', 'pdf'], omitted: [] });
  expect(answers.search.map(({ name }) => name)).toEqual(expect.arrayContaining(['papers', 'pdf']));
  const report = answers.report.ok ? answers.report.report : undefined;
  expect(report?.skills.map(({ name }) => name).sort()).toEqual(['papers', 'pdf']);
});

test.each(['okapi', 'zebra', 'quagga', 'OKAPI'])('a view cannot use %s, which is outside it', async (name) => {
  const { view, whole } = await openView();
  const before = await whole.load('zebra');
  const answers = [
    view.find(name),
    await view.load(name),
    view.loader.resources(name),
    view.loader.readResource(name, 'SKILL.md'),
    view.loader.readUrl(`skill://${name}`),
    view.scripts.list(name),
    await view.scripts.run(name, `${name}.sh`),
    await view.toolsets.list(name),
    await view.toolsets.call(name, `${name}_tool`, { args: {} }),
    await view.trust.inspect(name),
    await view.trust.grant(name, 'x'),
    await view.trust.revoke(name),
    await view.writing.create({ name, description: 'Mine.', body: 'x' }),
    await view.writing.update(name, { body: 'x' }),
    await view.writing.remove(name, { withFiles: true }),
    await view.writing.putByAgent({ name, description: 'Mine.', body: 'x' }),
    await resolvePinned(view, [name]),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ ok: false });
  for (const answer of answers) expect(toText(answer).replaceAll(name, '')).not.toMatch(EXCLUDED);
  const command = await expandSlashCommand(view, `/skill:${name}`);
  expect(command?.ok).toBe(false);
  expect(toText(command).replaceAll(name, '')).not.toMatch(EXCLUDED);
  expect(await whole.load('zebra')).toEqual(before);
});

const CALLS = [
  ['list_skills', {}],
  ['list_skills', { by_agents: true }],
  ['load_skill', { name: 'NAME' }],
  ['search_skills', { query: 'fill pdf forms' }],
  ['search_skills', { query: 'invoice', limit: 50 }],
  ['read_skill_resource', { url: 'skill://NAME/SKILL.md' }],
  ['read_skill_resource', { name: 'NAME' }],
  ['run_skill_script', { name: 'NAME', script: 'NAME.sh' }],
  ['write_skill', { name: 'NAME', description: 'Mine.', content: 'x' }],
] as const;

const STATEMENTS = [
  '?s "fill pdf forms"',
  '?s #pdf ^50',
  '?s',
  '!s NAME',
  '~s NAME "x"',
  '-s NAME',
  '>s NAME script=NAME.sh',
];

test.each(['zebra', 'okapi'])('neither tools nor CTX nor MCP reveal %s, which is outside the view', async (name) => {
  const { view } = await openView();
  const isSilent = (answer: unknown): void => expect(toText(answer).replaceAll(name, '')).not.toMatch(EXCLUDED);
  const fill = (text: string): string => text.replaceAll('NAME', name);
  const tools = agentTools(view, { list: true, run: true, write: true });
  expectNoLeak(Object.fromEntries(tools.map((tool) => [tool.name, [tool.description, tool.schema()]])));
  for (const [tool, args] of CALLS) {
    const answer = await callTool(tools, { name: tool, args: JSON.parse(fill(JSON.stringify(args))) });
    isSilent(answer);
    expect([tool, answer.isError]).toEqual([tool, 'name' in args || 'url' in args]);
  }
  for (const write of ['agent', 'user'] as const) {
    const gateway = createGateway(view, { write, run: true });
    for (const statement of [...STATEMENTS, '+s NAME content="x"']) isSilent(await gateway.handle(fill(statement)));
  }
  using server = createMcpServer(view, { allowScripts: true, allowWrite: true, allowToolsets: true });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await (await server.connect()).connect(far);
  await client.connect(near);
  expectNoLeak({
    instructions: client.getInstructions(),
    tools: await client.listTools(),
    prompts: await client.listPrompts(),
    resources: await client.listResources(),
  });
  for (const [tool, args] of CALLS)
    isSilent(await client.callTool({ name: tool, arguments: JSON.parse(fill(JSON.stringify(args))) }));
  await expect(client.readResource({ uri: `skill://${name}/SKILL.md` })).rejects.toThrow('not found');
  await expect(client.getPrompt({ name })).rejects.toThrow('Unknown prompt');
  await client.close();
});

test('views of views combine names, globs and functions', async () => {
  const { whole } = await openView();
  const names = (skills: Skills): readonly string[] => skills.catalog().skills.map(({ name }) => name);
  expect(names(whole.only('p*'))).toEqual(['papers', 'pdf']);
  expect(names(whole.only('p*').only(({ creator }) => creator === 'agent'))).toEqual(['papers']);
  expect(names(whole.only('p*').only(['zebra', 'pdf']))).toEqual(['pdf']);
  expect(names(whole.only([]))).toEqual([]);
  expect(await whole.only([]).prompt()).toBe('');
});

test('a view sees skills added on disk and reports only its own changes', async () => {
  const { view, world } = await openView();
  writeTree(world.root, { ...makeSkill('paper2', undefined), ...makeSkill('okapi-new', undefined) });
  expect((await view.refresh()).added.map(({ name }) => name)).toEqual(['paper2']);
  expect((await view.search({ query: 'paper2' }))[0]).toMatchObject({ name: 'paper2' });
});

test('search in a view is not affected by skills outside it', async () => {
  const copies = Array.from({ length: 60 }, (_, at) => [
    `${DIR}/deploy-${at}/SKILL.md`,
    skillText({ name: `deploy-${at}`, description: 'Deploy deploy deploy the depoy.' }, `Deploy ${at}.`),
  ]);
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    ...Object.fromEntries(copies),
    [`${DIR}/ship/SKILL.md`]: skillText({ name: 'ship', description: 'Ship things.' }, 'Later also deploy them.'),
  });
  const { project: cwd, home, env } = world;
  const whole = await openSkills({ cwd, home, env });
  onTestFinished(() => whole[Symbol.asyncDispose]());
  const one = whole.only(['ship', 'deploy-7']);
  const found = await one.search({ query: 'how to deploy' });
  expect(found.map(({ name }) => name)).toEqual(['deploy-7', 'ship']);
  expect(toText(found)).not.toContain('nearly the same');
  expect((await whole.only('ship').search({ query: 'depoy' })).map(({ name }) => name)).toEqual(['ship']);
  expect((await whole.only('ship').match('please deploy it')).suggestions).toMatchObject([{ name: 'ship' }]);
});
