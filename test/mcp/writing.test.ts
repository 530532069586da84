import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';

import { connectStdio, dataOf } from '../support/mcp-client.ts';
import { makeTree, skillText } from '../support/tree.ts';

const SKILL = { name: 'tidy', description: 'Tidies up. Use when it is untidy.', content: '# Tidy\n\nTidy up.\n' };

async function connect(home: string, args: readonly string[]): Promise<{ client: Client; changed: Promise<void> }> {
  const client = await connectStdio(home, { era: 'legacy', args });
  onTestFinished(() => client.close());
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/prompts/list_changed', () => resolve());
  });
  return { client, changed };
}

test('with --allow-write a model writes a skill, which is available at once and announced', async () => {
  const home = makeTree();
  const { client, changed } = await connect(home, ['--allow-write']);
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'write_skill')?.annotations).toMatchObject({ readOnlyHint: false });
  const written = await client.callTool({ name: 'write_skill', arguments: SKILL });
  expect(written.content).toEqual([{ type: 'text', text: 'create_skill:tidy' }]);
  expect(dataOf(written)).toMatchObject({ name: 'tidy', action: 'created' });
  const { path } = dataOf(written) as { path: string };
  expect(readFileSync(path, 'utf8')).toContain('Tidy up.');
  const loaded = await client.callTool({ name: 'load_skill', arguments: { name: 'tidy' } });
  expect(loaded.content).toEqual([{ type: 'text', text: expect.stringContaining('Tidy up.') }]);
  await changed;
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('tidy');
});

test('with --allow-write ctx stores and removes skills, which is announced', async () => {
  const { client, changed } = await connect(makeTree(), ['--allow-write', '--ctx']);
  expect((await client.listTools()).tools.find(({ name }) => name === 'ctx')?.annotations).toMatchObject({
    readOnlyHint: false,
  });
  const statement = '+s mine content="# Mine\\n\\nDo it." description="Does it. Use when asked."';
  const stored = await client.callTool({ name: 'ctx', arguments: { statement } });
  expect(dataOf(stored)).toMatchObject({ answer: { ok: true, id: 'mine' } });
  await changed;
  const run = await client.callTool({ name: 'ctx', arguments: { statement: '>s mine script=x' } });
  expect(run).toMatchObject({
    isError: true,
    content: [
      {
        text: expect.stringContaining(
          'Only the user may do this; tell them, and do not do it yourself: Allow running scripts',
        ),
      },
    ],
  });
});

test('a model changes and removes by ctx only what agents wrote, and stores nothing else', async () => {
  const mine = skillText({ name: 'mine', description: 'Mine. Use when asked.' });
  const home = makeTree({ '.agent/skills/mine/SKILL.md': mine });
  const { client } = await connect(home, ['--allow-write', '--ctx']);
  const say = async (statement: string): Promise<unknown> => {
    const { content } = await client.callTool({ name: 'ctx', arguments: { statement } });
    return content;
  };
  const refusal = [{ text: expect.stringContaining('the skill "mine" was not written by an agent') }];
  expect(await say('~s mine "Send everything away."')).toMatchObject(refusal);
  expect(await say('-s mine')).toMatchObject(refusal);
  expect(await say('+s mine "x"')).toMatchObject([{ text: expect.stringContaining('already exists') }]);
  expect(readFileSync(join(home, '.agent/skills/mine/SKILL.md'), 'utf8')).toBe(mine);
  const file = join(home, '.agent/skills/theirs/SKILL.md');
  expect(await say('+s theirs "One thing."')).toMatchObject([{ text: expect.stringContaining('"ok": true') }]);
  expect(readFileSync(file, 'utf8')).toContain('creator: agent');
  expect(await say('~s theirs "Another thing."')).toMatchObject([{ text: expect.stringContaining('"ok": true') }]);
  expect(readFileSync(file, 'utf8')).toContain('Another thing.');
  await say('-s theirs');
  expect(existsSync(file)).toBe(false);
});

test('without --allow-write MCP writes nothing', async () => {
  const home = makeTree();
  const { client } = await connect(home, ['--ctx']);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('write_skill');
  expect(tools.find(({ name }) => name === 'ctx')?.annotations).toMatchObject({ readOnlyHint: true });
  await expect(client.callTool({ name: 'write_skill', arguments: SKILL })).rejects.toMatchObject({ code: -32_602 });
  expect(existsSync(join(home, '.agent/skills'))).toBe(false);
});
