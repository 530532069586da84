import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import type { AgentTool } from '../agent/agent-tool.ts';
import { callTool } from '../agent/call-tool.ts';
import { openSkills } from '../engine/open-skills.ts';
import { ctxTool } from './ctx-tool.ts';
import type { GatewayOptions } from './permissions.ts';

const MINE = 'home/.agent/skills/mine/SKILL.md';

async function open(options?: GatewayOptions): Promise<{ readonly world: World; readonly tool: AgentTool }> {
  const world = makeWorld({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    [MINE]: skillText({ name: 'mine', description: 'Mine. Use when asked.' }, '# Mine\n\nKeep it.\n'),
    'home/.agent/skills/tool/SKILL.md': skillText({ name: 'tool', description: 'Runs.' }),
    'home/.agent/skills/tool/scripts/say.sh': 'echo ran\n',
    'home/.agent/skills/tool/scripts/slow.sh': 'sleep 60\n',
  });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, tool: ctxTool(skills, options) };
}

test('the ctx tool has a title, an input schema and an output schema', async () => {
  const { tool } = await open();
  expect(tool).toMatchObject({
    name: 'ctx',
    title: 'Answer a CTX statement',
    outputSchema: { type: 'object', required: ['answer'] },
  });
  expect(tool.schema()).toMatchObject({ required: ['statement'], properties: { statement: { type: 'string' } } });
});

test.each<[GatewayOptions, object]>([
  [{}, { readOnlyHint: true, destructiveHint: false, openWorldHint: false }],
  [
    { write: 'none', run: false },
    { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  ],
  [{ write: 'agent' }, { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
  [{ write: 'user' }, { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
  [{ run: true }, { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
])('the ctx tool with %j has the annotations %j', async (options, annotations) => {
  expect((await open(options)).tool.annotations).toMatchObject(annotations);
});

test.each<[GatewayOptions, string]>([
  [{}, '?!'],
  [{ write: 'agent' }, '?!+~-'],
  [{ run: true }, '?!>'],
])('the ctx tool with %j describes only the operators %s', async (options, operators) => {
  const { description } = (await open(options)).tool;
  expect(['?', '!', '+', '~', '-', '>'].filter((sign) => description.includes(`${sign}s `)).join('')).toBe(operators);
});

test('the ctx tool returns the gateway’s answer as JSON text and as data', async () => {
  const { tool } = await open();
  const { text, isError, metadata } = await callTool([tool], { name: 'ctx', args: { statement: '?s mine ^1' } });
  expect(isError).toBe(false);
  expect(metadata).toMatchObject({ answer: { ok: true, results: [{ id: 'mine' }] } });
  expect(JSON.parse(text)).toEqual(metadata['answer']);
});

test('the ctx tool without options changes nothing and says who can allow it', async () => {
  const { tool, world } = await open();
  for (const statement of ['-s mine', '~s mine "x"', '+s other "x"'])
    expect(await callTool([tool], { name: 'ctx', args: { statement } })).toMatchObject({
      isError: true,
      text: `${statement.slice(0, 2)} is not allowed here: it writes skills. Only the host program can allow this, with \`write: 'agent'\`.`,
    });
  expect(await tool.execute({ statement: '>s tool script=say' })).toMatchObject({ ok: false, code: 'NOT_ALLOWED' });
  expect(readFileSync(join(world.root, MINE), 'utf8')).toContain('Keep it.');
});

test('the ctx tool with write: agent changes only agent-written skills', async () => {
  const { tool, world } = await open({ write: 'agent' });
  for (const statement of ['-s mine', '~s mine "x"'])
    expect(await tool.execute({ statement })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(await tool.execute({ statement: '+s other "x"' })).toMatchObject({ ok: true });
  expect(await tool.execute({ statement: '-s other' })).toMatchObject({ ok: true });
  expect(existsSync(join(world.root, MINE))).toBe(true);
});

test('the ctx tool with run returns a script’s output, and aborting stops the script', async () => {
  const { tool } = await open({ run: true });
  expect(await tool.execute({ statement: '>s tool script=say' })).toMatchObject({
    metadata: { answer: { ok: true, stdout: 'ran\n' } },
  });
  const signal = AbortSignal.timeout(200);
  expect(await tool.execute({ statement: '>s tool script=slow' }, { signal })).toMatchObject({
    ok: false,
    message: 'the script was cancelled',
  });
});
