import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';

import type { Reads } from '../../src/http/api.ts';
import { openSession, startConsole } from '../support/console-process.ts';
import { connectHttp, connectStdio } from '../support/mcp-client.ts';
import { serverEnvironment, startHttp } from '../support/mcp-process.ts';
import { makeTree, skillText, writeTree } from '../support/tree.ts';

const PDF = skillText({ description: 'Fill in PDF forms. Use when a PDF form must be filled in.' }, 'Fill it.');
const OTHERS = Object.fromEntries(
  ['chart', 'review', 'deploy'].map((name) => [
    `.agents/skills/${name}/SKILL.md`,
    skillText({ description: `Helps with ${name} and everything around it.` }, `Do ${name}.`),
  ]),
);

/** Claude Code sees pdf; it does not look where mail and the others lie. */
function makeHome(): string {
  const home = makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    '.claude/skills/pdf/SKILL.md': PDF,
    '.agent/skills/mail/SKILL.md': skillText({ description: 'Write letters to people.' }, 'Write.'),
    ...OTHERS,
  });
  mkdirSync(join(home, '.claude/projects'));
  return home;
}

async function connect(home: string, args: readonly string[]): Promise<Client> {
  const client = await connectStdio(home, { era: 'modern', args });
  onTestFinished(() => client.close());
  return client;
}

async function listNames(home: string, args: readonly string[]): Promise<readonly string[]> {
  const client = await connect(home, args);
  const { content } = await client.callTool({ name: 'list_skills', arguments: {} });
  const text = JSON.stringify(content);
  return ['chart', 'deploy', 'mail', 'pdf', 'review'].filter((name) => text.includes(name));
}

test('an MCP server for an agent leaves out skills that the agent reads from its own folders', async () => {
  const home = makeHome();
  const [all, forClaude, forCodex] = await Promise.all(
    [[], ['--host', 'claude-code'], ['--host', 'codex']].map((args) => listNames(home, args)),
  );
  expect(all).toEqual(['chart', 'deploy', 'mail', 'pdf', 'review']);
  expect(forClaude).toEqual(['chart', 'deploy', 'mail', 'review']);
  expect(forCodex).toEqual(['mail', 'pdf']);
});

test('an MCP server for an agent leaves out a skill that is put into the agent’s folder while it runs', async () => {
  const home = makeHome();
  const client = await connect(home, ['--host', 'claude-code']);
  const load = (): Promise<unknown> => client.callTool({ name: 'load_skill', arguments: { name: 'mail' } });
  expect(await load()).not.toHaveProperty('isError', true);
  writeTree(home, { '.claude/skills/mail/SKILL.md': skillText({ description: 'Write letters.' }, 'Write.') });
  await expect
    .poll(async () => JSON.stringify(await client.callTool({ name: 'list_skills', arguments: {} })), {
      timeout: 20_000,
    })
    .not.toContain('mail');
});

test('the console shows, word for word and without a use, what an MCP server and its tools tell the model of an agent', async () => {
  const home = makeHome();
  const place = { home, project: home, env: serverEnvironment(home) };
  await using page = await startConsole(place);
  const { cookie } = await openSession(page);
  const read = async <K extends keyof Reads>(path: K, input: Record<string, string>): Promise<Reads[K]['output']> => {
    const query = new URLSearchParams(input).toString();
    const answer = await fetch(`${page.origin}/api/${path}?${query}`, { headers: { cookie } });
    return (await answer.json()) as Reads[K]['output'];
  };
  const calls = [
    { tool: 'list_skills', about: '', args: {} },
    { tool: 'search_skills', about: 'write to the mayor', args: { query: 'write to the mayor' } },
    { tool: 'search_skills', about: 'xyzzy', args: { query: 'xyzzy' } },
    { tool: 'load_skill', about: 'mail', args: { name: 'mail' } },
    { tool: 'load_skill', about: 'pdf', args: { name: 'pdf' } },
  ];
  const client = 'claude-code';
  const { text: instructions } = await read('model/told', { client });
  const { tools } = await read('model/tools', { client });
  const shown = await Promise.all(calls.map(({ tool, about }) => read('model/answer', { client, tool, about })));
  const { report } = await read('usage', {});
  expect(report).toMatchObject({ skills: [] });

  const model = await connect(home, ['--agent', client]);
  expect(instructions).toBe(model.getInstructions());
  const described = (await model.listTools()).tools.map(({ name, description }) => ({ name, description }));
  expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(described);
  const told = await Promise.all(calls.map(({ tool, args }) => model.callTool({ name: tool, arguments: args })));
  expect(
    shown.map(({ answer }) => ({ content: [{ type: 'text', text: answer?.text }], isError: answer?.isError })),
  ).toEqual(told.map(({ content, isError = false }) => ({ content, isError })));
});

const MESSAGE = 'Please fill in the PDF form with my address';

test('the tool suggest of an MCP server for an agent answers its hook, over every skill', async () => {
  const client = await connect(makeHome(), ['--host', 'claude-code']);
  const ask = async (prompt: string): Promise<unknown> =>
    (await client.callTool({ name: 'suggest', arguments: { prompt, session: 's', transcript: '/nowhere' } })).content;
  expect(await ask(MESSAGE)).toEqual([
    { type: 'text', text: expect.stringContaining('"hookEventName":"UserPromptSubmit"') },
  ]);
  expect(await ask('What is the weather like in Berlin?')).toEqual([{ type: 'text', text: '' }]);
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'suggest')).not.toHaveProperty('outputSchema');
});

test('an MCP server without an agent has no tool suggest', async () => {
  const client = await connect(makeHome(), []);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('suggest');
});

test.each([
  ['stdio', 'modern'],
  ['stdio', 'legacy'],
  ['http', 'modern'],
  ['http', 'legacy'],
] as const)(
  'an MCP server tells Claude Code over %s in the %s protocol no more than it reads',
  async (transport, era) => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `.agent/skills/skill-${at}/SKILL.md`,
          skillText({
            description: `Does number ${at}. Use when number ${at} is wanted. ${'It does it well. '.repeat(8)}`,
          }),
        ]),
      ),
    });
    const server = transport === 'http' ? await startHttp(home) : undefined;
    onTestFinished(async () => void (await server?.stop()));
    const lengthFor = async (name: string): Promise<number> => {
      const client = await (server === undefined
        ? connectStdio(home, { era, name })
        : connectHttp(server.url, { era, name, headers: server.headers }));
      const instructions = client.getInstructions() ?? '';
      await client.close();
      expect(instructions.match(/skill-\d+/g)).toHaveLength(30);
      return Buffer.byteLength(instructions);
    };
    expect(await lengthFor('claude-code')).toBeLessThanOrEqual(2_000);
    expect(await lengthFor('another')).toBeGreaterThan(3_000);
  },
);

test('with --structured an MCP server lists the schemas of its data and answers with it beside the text', async () => {
  const client = await connect(makeHome(), ['--structured']);
  const { tools } = await client.listTools();
  expect(tools.every(({ outputSchema }) => outputSchema?.['type'] === 'object')).toBe(true);
  const answer = await client.callTool({ name: 'load_skill', arguments: { name: 'mail' } });
  expect(answer).toMatchObject({ content: [{ type: 'text' }], structuredContent: { name: 'mail', isRepeated: false } });
});

test('an MCP server has the tool ctx only with --ctx', async () => {
  const client = await connect(makeHome(), []);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('ctx');
  await expect(client.callTool({ name: 'ctx', arguments: { statement: '?s "mail"' } })).rejects.toMatchObject({
    code: -32_602,
  });
});
