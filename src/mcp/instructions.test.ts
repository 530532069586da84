import { expect, onTestFinished, test } from 'vitest';

import { skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { writeInstructions } from './instructions.ts';

async function open(tree: Tree): Promise<Skills> {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n', ...tree });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

function manySkills(count: number): Tree {
  const entries = Array.from({ length: count }, (_, at) => [
    `home/.agents/skills/skill-${at}/SKILL.md`,
    skillText({ name: `skill-${at}`, description: `Does number ${at}. ${'Use it for that. '.repeat(10)}` }),
  ]);
  return Object.fromEntries(entries) as Tree;
}

test('the MCP instructions are complete in their first 512 characters and name the tools', async () => {
  const skills = await open(manySkills(1));
  const [guide = ''] = (await writeInstructions(skills)).split('\n\n', 1);
  expect(guide).toContain('in the list below, then with search_skills');
  expect(guide).not.toContain('run_skill_script');
  const [running = ''] = (await writeInstructions(skills, { allowScripts: true })).split('\n\n', 1);
  expect(running).toContain('run_skill_script runs its scripts.');
  expect([guide.length, running.length].every((length) => length <= 512)).toBe(true);
});

test('the MCP instructions stay within any budget, and name few skills where many names do not fit', async () => {
  const config = 'skills:\n  disabledSources: [bundled]\n  pinned: [skill-77]\n';
  const skills = await open({ ...manySkills(400), 'home/.agent/config.yaml': config });
  await skills.serving.load('skill-5');
  for (const budget of [0, 20, 100, 500, 5_000]) {
    const text = await writeInstructions(skills, { budget });
    expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(Math.max(budget, 117));
    expect(text).toContain('load_skill');
    expect(text.match(/skill-\d+/g) ?? []).toHaveLength({ 500: 2, 5_000: 400 }[budget] ?? 0);
  }
  // A list in which most names are missing would only cost: the model has to search anyway.
  expect(await writeInstructions(skills, { budget: 500 })).toMatch(
    /\n\nSkills: skill-77, skill-5 … and 398 more: search_skills finds them\.$/,
  );
});

test('Claude Code, which reads 2 KB, gets the names of nearly all skills in the MCP instructions, most needed first', async () => {
  const skills = await open(manySkills(160));
  await skills.serving.load('skill-99');
  const text = await writeInstructions(skills, { client: 'claude-code' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  const [, names = '', left] = /\n\nSkills: (.*) … and (\d+) more\.$/.exec(text) ?? [];
  expect(names.startsWith('skill-99, skill-0, ')).toBe(true);
  expect(names.split(', ').length + Number(left)).toBe(160);
  expect(Number(left)).toBeLessThan(16);
});

test('Claude Code gets descriptions in the MCP instructions as soon as all names fit', async () => {
  const text = await writeInstructions(await open(manySkills(40)), { client: 'claude-code' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  expect(text.match(/skill-\d+/g)).toHaveLength(40);
  expect(text).toContain('- skill-0: ');
});

test('the 2,000 bytes of Claude Code are bytes, whatever the script', async () => {
  const tree = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `home/.agents/skills/skill-${at}/SKILL.md`,
      skillText({
        name: `skill-${at}`,
        description: `读取文件并写出报告。当用户需要第 ${at} 份报告时使用。`.repeat(4),
      }),
    ]),
  );
  const text = await writeInstructions(await open(tree), { client: 'claude-code' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  expect(text).toContain('当用户需要');
});

test('the MCP instructions list a few skills with their descriptions', async () => {
  expect(await writeInstructions(await open(manySkills(2)))).toContain('- skill-1: Does number 1. Use it for that.');
});

test('the MCP instructions say so when there are no skills', async () => {
  expect(await writeInstructions(await open({}))).toBe(
    'There are no skills yet. Call list_skills later to see whether any were added.',
  );
});

test('the MCP instructions spend a tight budget on skills whose names say least, not in alphabetical order', async () => {
  const named = Array.from({ length: 60 }, (_, at) => [
    `home/.agents/skills/alpha-tool-${at}/SKILL.md`,
    skillText({ name: `alpha-tool-${at}`, description: `An alpha tool: number ${at}. ${'It is a tool. '.repeat(5)}` }),
  ]);
  const odd = { 'home/.agents/skills/zed/SKILL.md': skillText({ name: 'zed', description: 'Edits text together.' }) };
  const text = await writeInstructions(await open({ ...Object.fromEntries(named), ...odd } as Tree), { budget: 600 });
  expect(text).toContain('- zed: Edits text together.');
  expect(text).toContain('by name only**: ');
});

test("the MCP instructions include the project's AGENTS.md files only on request", async () => {
  const skills = await open({ ...manySkills(1), 'project/AGENTS.md': 'Use tabs.\n' });
  expect(await writeInstructions(skills)).not.toContain('Use tabs.');
  expect(await writeInstructions(skills, { contextFiles: true })).toMatch(
    /skill-0[^]*\n\n<context_files>\n<context_file path=".*\/project\/AGENTS.md" level="project" depth="0">\nUse tabs\.\n<\/context_file>\n<\/context_files>$/,
  );
});
