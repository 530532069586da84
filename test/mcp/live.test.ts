import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, onTestFinished, test } from 'vitest';

import { connectHttp, connectStdio, type Era } from '../support/mcp-client.ts';
import { startHttp } from '../support/mcp-process.ts';
import { makeTree, skillText, writeTree } from '../support/tree.ts';

const CASES: readonly [transport: string, era: Era][] = [
  ['stdio', 'modern'],
  ['stdio', 'legacy'],
  ['http', 'modern'],
];
const KINDS = ['tools', 'prompts', 'resources'] as const;

describe.each(CASES)('MCP over %s, %s protocol:', (transport, era) => {
  test('a skill that is added, changed or removed on disk is announced and stands in the next lists', async () => {
    const home = makeTree({ '.agents/skills/first/SKILL.md': skillText({ name: 'first', description: 'One.' }) });
    const client = await connect(home, transport, era);
    const heard = await listen(client, era);
    const skills = new SkillsClient(client);
    const listed = async (): Promise<object> => ({
      prompts: (await client.listPrompts()).prompts
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('skill-')),
      skills: (await skills.list()).skills.map(({ frontmatter: { name, description } }) => `${name}: ${description}`),
    });

    writeTree(home, { '.agents/skills/second/SKILL.md': skillText({ name: 'second', description: 'Two.' }) });
    await heard.all();
    expect(await listed()).toMatchObject({
      prompts: ['first', 'second'],
      skills: expect.arrayContaining(['first: One.', 'second: Two.']),
    });

    writeTree(home, {
      '.agents/skills/first/SKILL.md': skillText({ name: 'first', description: 'Changed.' }, 'Changed.\n'),
    });
    await heard.all();
    expect(await listed()).toMatchObject({ skills: expect.arrayContaining(['first: Changed.', 'second: Two.']) });
    const loaded = await client.callTool({ name: 'load_skill', arguments: { name: 'first' } });
    expect(JSON.stringify(loaded)).toContain('Changed.');

    rmSync(join(home, '.agents/skills/second'), { recursive: true });
    await heard.all();
    expect(await listed()).toMatchObject({ prompts: ['first'] });
    await expect(client.readResource({ uri: 'skill://second/SKILL.md' })).rejects.toMatchObject({ code: -32_602 });
  });
});

test('a changed file beside SKILL.md has another digest in the next MCP answer, without an announcement', async () => {
  const home = makeTree({
    '.agents/skills/first/SKILL.md': skillText({ name: 'first', description: 'One.' }),
    '.agents/skills/first/references/deep/a.md': 'before',
  });
  const skills = new SkillsClient(await connect(home, 'stdio', 'modern'));
  const before = await skills.get('skill://first/SKILL.md');
  writeTree(home, { '.agents/skills/first/references/deep/a.md': 'after!' });
  const after = await skills.get('skill://first/SKILL.md');
  expect(after.skill.resources).not.toEqual(before.skill.resources);
  expect(await skills.read(after.skill, 'references/deep/a.md')).toMatchObject({ text: 'after!', verified: true });
});

async function connect(home: string, transport: string, era: Era): Promise<Client> {
  if (transport === 'stdio') {
    const client = await connectStdio(home, { era });
    onTestFinished(() => client.close());
    return client;
  }
  const server = await startHttp(home);
  onTestFinished(async () => void (await server.stop()));
  const client = await connectHttp(server.url, { era });
  onTestFinished(() => client.close());
  return client;
}

/** Listens for changes of each kind of list; `all` resolves once each was announced since the last call. */
async function listen(client: Client, era: Era): Promise<{ readonly all: () => Promise<void> }> {
  const counts = { tools: 0, prompts: 0, resources: 0 };
  let wake = (): void => undefined;
  for (const kind of KINDS)
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => {
      counts[kind] += 1;
      wake();
    });
  if (era === 'modern')
    await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
  return {
    async all() {
      while (KINDS.some((kind) => counts[kind] === 0))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      for (const kind of KINDS) counts[kind] = 0;
    },
  };
}
