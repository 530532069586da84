import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { makeTree, skillText, writeTree } from '../support/tree.ts';

const TOOLSET = `
import { z } from 'zod';
import { Tool } from '@agent/tools';

export const myTool = Tool.define('my-tool', {
  description: 'Does something useful',
  parameters: z.object({ input: z.string() }),
  execute: async (args, ctx) => ({ title: 'Completed', metadata: {}, output: \`Processed: \${args.input}\` }),
});

export const MyToolset = [myTool];
`;

function makeHome(): string {
  const manifest = {
    name: 'my-skill',
    description: 'Mine.',
    toolsets: ['toolsets/index:MyToolset', 'toolsets/x:Gone'],
  };
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    '.agent/skills/my-skill/SKILL.md': skillText(manifest),
    '.agent/skills/my-skill/toolsets/index.ts': TOOLSET,
  });
}

describe('tools', () => {
  test('lists the tools of toolsets with their schemas, and names a toolset that fails', async () => {
    const { code, stdout } = await skillplane(['tools', '--json'], { home: makeHome() });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      tools: [
        {
          name: 'my-tool',
          skill: 'my-skill',
          description: 'Does something useful',
          schema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
        },
      ],
      failures: [{ skill: 'my-skill', toolset: 'toolsets/x:Gone', code: 'TOOLSET_FAILED' }],
    });
  });

  test('prints tools as text', async () => {
    const home = makeHome();
    const { stdout, stderr } = await skillplane(['tools', 'my-skill'], { home });
    expect(stdout).toBe('my-tool  Does something useful\n');
    expect((await skillplane(['run'], { home })).stdout).toContain('my-tool  my-skill\n      Does something useful\n');
    expect(stderr).toMatch(/^warning: toolset "toolsets\/x:Gone"/);
    expect(await skillplane(['tools', 'nobody'], { home })).toMatchObject({ code: 1 });
    writeTree(home, { '.agent/skills/plain/SKILL.md': skillText({ name: 'plain', description: 'x' }) });
    expect((await skillplane(['tools', 'plain'], { home })).stderr).toBe('plain has no scripts or tools.\n');
  });
});

describe('call', () => {
  test('prints the result of the tool', async () => {
    const home = makeHome();
    const args = ['call', 'my-skill', 'my-tool', '--args', '{"input": "x"}'];
    expect(await skillplane(args, { home })).toMatchObject({ code: 0, stdout: 'Processed: x\n' });
    expect(JSON.parse((await skillplane([...args, '--json'], { home })).stdout)).toEqual({
      ok: true,
      title: 'Completed',
      metadata: {},
      output: 'Processed: x',
    });
  });

  test('fails with a reason if arguments or names are wrong', async () => {
    const home = makeHome();
    expect(await skillplane(['call', 'my-skill', 'my-tool', '--args', '{"input": 1}'], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('input'),
    });
    expect(await skillplane(['call', 'my-skill', 'my-tool', '--args', '{'], { home })).toMatchObject({ code: 2 });
    expect(await skillplane(['call', 'nobody', 'my-tool'], { home })).toMatchObject({ code: 1 });
  });
});

test('no command imports a toolset of a skill that is not trusted', async () => {
  const root = makeTree({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'project/.git/': '',
    'project/.claude/skills/evil/SKILL.md': skillText({ name: 'evil', description: 'Bad.', toolsets: ['t:T'] }),
  });
  const mark = join(root, 'imported');
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  const text = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, ''); export const T = [];`;
  writeTree(join(cwd, '.claude/skills/evil'), { 't.mjs': text });
  for (const args of [['show'], ['search', 'evil'], ['tools'], ['load', 'evil'], ['resources', 'evil'], ['doctor']])
    await skillplane([...args, '--cwd', cwd], { home });
  await skillplane(['validate', join(cwd, '.claude/skills/evil')], { home });
  const { stdout } = await skillplane(['tools', '--json', '--cwd', cwd], { home });
  expect(JSON.parse(stdout)).toMatchObject({ tools: [], failures: [{ skill: 'evil', code: 'NOT_TRUSTED' }] });
  expect(existsSync(mark)).toBe(false);
  await skillplane(['trust', 'evil', '--yes', '--cwd', cwd], { home });
  await skillplane(['tools', '--cwd', cwd], { home });
  expect(existsSync(mark)).toBe(true);
});
