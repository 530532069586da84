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

test('the MCP instructions list 500 skills within any budget and count those that they leave out', async () => {
  const skills = await open(manySkills(500));
  for (const budget of [0, 20, 100, 1_000, 5_000]) {
    const text = await writeInstructions(skills, { budget });
    expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(Math.max(budget, 90));
    const named = text.match(/skill-\d+/g)?.length ?? 0;
    const omitted = Number(/discover (\d+) more/.exec(text)?.[1] ?? 0);
    expect(named === 0 || named + omitted === 500).toBe(true);
    expect(text).toContain('load_skill');
  }
});

test('the MCP instructions list a few skills with their descriptions', async () => {
  expect(await writeInstructions(await open(manySkills(2)))).toContain(
    '- **skill-1** — Does number 1. Use it for that.',
  );
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
  expect(text).toContain('- **zed** — Edits text together.');
  expect(text).toContain('by name only: ');
});

test("the MCP instructions include the project's AGENTS.md files only on request", async () => {
  const skills = await open({ ...manySkills(1), 'project/AGENTS.md': 'Use tabs.\n' });
  expect(await writeInstructions(skills)).not.toContain('Use tabs.');
  expect(await writeInstructions(skills, { contextFiles: true })).toMatch(
    /skill-0[^]*\n\n<context_files>\n<context_file path=".*\/project\/AGENTS.md" level="project" depth="0">\nUse tabs\.\n<\/context_file>\n<\/context_files>$/,
  );
});
