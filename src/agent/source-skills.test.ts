import { expect, onTestFinished, test } from 'vitest';

import { makeWorld } from '../../test/support/world.ts';
import { openSkills } from '../engine/open-skills.ts';
import { defineSkill, memorySource } from '../sources/memory-source.ts';
import { callTool } from './call-tool.ts';
import { forAgent } from './for-agent.ts';

test('a model is told of a skill in memory by URLs, and can read a file by them', async () => {
  const { project: cwd, home, env } = makeWorld({});
  const refunds = defineSkill({
    name: 'refunds',
    description: 'Answer refunds.',
    instructions: 'Read references/terms.md.',
    files: { 'references/terms.md': 'Thirty days.' },
  });
  const skills = await openSkills({ cwd, home, env, sources: [memorySource([refunds])] });
  onTestFinished(() => skills.close());
  const agent = await forAgent(skills);
  if (!agent.ok) throw new Error(agent.message);
  const loaded = await callTool(agent.tools, { name: 'load_skill', args: { name: 'refunds' } });
  expect(loaded.text).toContain('Skill directory: skill://refunds\n');
  const command = await agent.expand('/skill:refunds');
  expect(command).toMatchObject({ message: expect.stringMatching(/Skill: skill:\/\/refunds$/) });
  expect(JSON.stringify([agent.system, loaded])).not.toContain('source:memory');
  for (const path of ['references/terms.md', 'skill://refunds/references/terms.md']) {
    const read = await callTool(agent.tools, { name: 'read_skill_resource', args: { name: 'refunds', path } });
    expect(read.text).toContain('Thirty days.');
  }
});
