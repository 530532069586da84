import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, onTestFinished, test } from 'vitest';

import { connectStdio } from '../support/mcp-client.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const COUNT = 253;

async function connect(tree: Tree): Promise<Client> {
  const config = { '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' };
  const client = await connectStdio(makeTree({ ...config, ...tree }), { era: 'modern' });
  onTestFinished(() => client.close());
  return client;
}

test('MCP lists many skills page by page, each once', async () => {
  const client = await connect(
    Object.fromEntries(
      Array.from({ length: COUNT }, (_, at) => [
        `.agents/skills/skill-${at}/SKILL.md`,
        skillText({ name: `skill-${at}`, description: `Number ${at}.` }),
      ]),
    ),
  );
  const uris: string[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await rawPage(client, cursor);
    uris.push(...page.skills.map(({ uri }) => uri));
    sizes.push(page.skills.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(sizes).toEqual([...Array.from({ length: 2 }, () => 100), 53]);
  expect(new Set(uris).size).toBe(COUNT);
  expect((await new SkillsClient(client).list()).skills).toHaveLength(COUNT);
  expect((await client.listPrompts()).prompts).toHaveLength(COUNT);
  expect((await client.listResources()).resources).toHaveLength(COUNT);
});

test('MCP reads a directory of many files page by page', async () => {
  const files = Object.fromEntries(Array.from({ length: 511 }, (_, at) => [`.agents/skills/big/f/${at}.txt`, `${at}`]));
  const client = await connect({
    '.agents/skills/big/SKILL.md': skillText({ name: 'big', description: 'Big.' }),
    ...files,
  });
  const first = await rawDirectory(client, undefined);
  const second = await rawDirectory(client, first.nextCursor);
  expect([first.resources.length, second.resources.length, second.nextCursor]).toEqual([500, 11, undefined]);
});

const ANYTHING = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;

interface RawPage {
  readonly nextCursor?: string;
  readonly skills: readonly { readonly uri: string }[];
  readonly resources: readonly unknown[];
}

async function rawPage(client: Client, cursor: string | undefined): Promise<RawPage> {
  return (await client.request(
    { method: 'skills/list', params: cursor === undefined ? {} : { cursor } },
    ANYTHING,
  )) as RawPage;
}

async function rawDirectory(client: Client, cursor: string | undefined): Promise<RawPage> {
  const params = { uri: 'skill://big/f', ...(cursor === undefined ? {} : { cursor }) };
  return (await client.request({ method: 'resources/directory/read', params }, ANYTHING)) as RawPage;
}
