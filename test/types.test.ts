import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { typeCheck } from './support/consumer.ts';

/** A program that uses every entry point, as a user of the package writes it. */
const CONSUMER = `
import { generateText } from 'ai';
import {
  openSkills,
  SkillLoader,
  SkillRegistry,
  SkillStore,
  type SkillDefinition,
  type SkillError,
  type SkillLoadOutcome,
  type SkillSearchResult,
} from 'skillplane';
import { agentTools, forAgent, listSkillsTool, loadSkillTool, SkillReflector, toAnthropicTool } from 'skillplane/agent';
import { toolSet } from 'skillplane/ai-sdk';
import { auditSkills } from 'skillplane/audit';
import { fix, newSkill, validate } from 'skillplane/author';
import { createGateway, ctxTool, type GatewayOptions } from 'skillplane/ctx';
import { HOSTS } from 'skillplane/hosts';
import { SkillInstaller } from 'skillplane/install';
import { createMcpServer } from 'skillplane/mcp';
import { openTestSkills, skillText } from 'skillplane/testing';
import { Tool } from 'skillplane/toolset';

declare const model: Parameters<typeof generateText>[0]['model'];

await using skills = await openSkills({ cwd: '.' });
const results: readonly SkillSearchResult[] = await skills.search({ query: 'pdf', tags: ['forms'], limit: 3 });
const store = SkillStore.over(['./skills']);
const { skills: found } = await store.loadAll();
const definition: SkillDefinition | undefined = found[0];
const loaded: SkillLoadOutcome = await SkillLoader.over(store).load('pdf');
const problem: SkillError | undefined = loaded.ok ? undefined : loaded;
await generateText({ model, system: await skills.prompt(), tools: toolSet(skills, { run: true }), prompt: 'x' });
const started = await forAgent(skills.only('p*'), { skills: ['pdf'], agent: 'clerk', pinned: ['pdf'], preload: ['pdf'], run: true });
if (started.ok) await generateText({ model, system: started.system, tools: toolSet(started.tools), prompt: 'x' });
// @ts-expect-error: a failure has no tools
console.log(started.tools);
console.log([listSkillsTool(found), loadSkillTool(skills)].map(toAnthropicTool), skills.as({ team: 'office' }).catalog());
await using tested = await openTestSkills({ 'a/SKILL.md': skillText({ name: 'a', description: 'b' }) });
// @ts-expect-error: a search takes one object
await skills.search('pdf');
const rights: GatewayOptions = { write: 'agent', run: false };
// @ts-expect-error: who writes must be said
createGateway(skills, { write: true });
console.log(createGateway(skills, rights), toAnthropicTool(ctxTool(skills, rights)));
console.log(results, definition, problem, SkillRegistry.over(found).search('pdf'), agentTools(skills).map(toAnthropicTool));
console.log(tested, SkillReflector, auditSkills, fix, newSkill, validate, SkillInstaller, createMcpServer, Tool, HOSTS.codex.title);
`;

test.each(['nodenext', 'bundler'] as const)(
  'every entry point of the package type-checks with the module resolution %s',
  (resolution) => {
    expect(typeCheck({ 'main.ts': CONSUMER }, { resolution })).toEqual([]);
  },
);

test('the stack trace of an error in the package points to its sources', () => {
  const code = `
    import { SkillStore } from 'skillplane';
    try { SkillStore.over(undefined); } catch (error) { console.log(error.stack); }`;
  const stack = execFileSync(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  expect(stack).toMatch(/at .*src\/sources\/resolve\.ts:\d+/);
  expect(stack).toMatch(/at .*src\/catalog\/store\.ts:\d+/);
});
