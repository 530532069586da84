import { expect, test } from 'vitest';

import { typeCheck } from './support/consumer.ts';

/** A program that uses every entry point, as a user of the package writes it. */
const CONSUMER = `
import { generateText } from 'ai';
import {
  openSkills,
  discoverSkills,
  SkillLoader,
  SkillManifestSchema,
  SkillReflector,
  SkillRegistry,
  SkillStore,
  Tool,
  validate,
  type DiscoveredSkill,
  type SkillDefinition,
  type SkillError,
  type SkillLoaderOptions,
  type SkillLoadOutcome,
  type SkillSearchResult,
} from 'skillplane';
import { agentTools, forAgent, listSkillsTool, loadSkillTool, toAnthropicTool } from 'skillplane/agent';
import { toolSet } from 'skillplane/ai-sdk';
import { auditSkills } from 'skillplane/audit';
import { createGateway, ctxTool, type GatewayOptions } from 'skillplane/ctx';
import { fix, newSkill, SkillInstaller, type InstallOptions, type InstallResult, type PluginDefinition } from 'skillplane/install';
import { createMcpServer } from 'skillplane/mcp';
import { openTestSkills, skillText } from 'skillplane/testing';
import { Tool as ToolsetTool } from 'skillplane/toolset';

declare const model: Parameters<typeof generateText>[0]['model'];

await using skills = await openSkills({ cwd: '.' });
const results: readonly SkillSearchResult[] = await skills.search({ query: 'pdf', tags: ['forms'], limit: 3 });
const store = SkillStore.over(['./skills']);
const { skills: found } = await store.loadAll();
const definition: SkillDefinition | undefined = found[0];
const loaded: SkillLoadOutcome = await SkillLoader.over(store).load('pdf');
const problem: SkillError | undefined = loaded.ok ? undefined : loaded;
await generateText({ model, system: await skills.prompt(), tools: toolSet(skills, { run: true }), prompt: 'x' });
const answered = await generateText({ model, tools: toolSet(skills, { run: true, needsApproval: true }), prompt: 'x' });
for (const part of answered.toolResults)
  if (!part.dynamic && part.toolName === 'run_skill_script') console.log(part.output.files?.[0]?.path, part.output.exitCode);
// @ts-expect-error: a tool that was not asked for
console.log(toolSet(skills, { run: true }).write_skill);
const started = await forAgent(skills.only('p*'), { skills: ['pdf'], agent: 'clerk', pinned: ['pdf'], preload: ['pdf'], run: true, toolsets: true, writesTo: './learned' });
if (started.ok) await generateText({ model, system: started.system, tools: toolSet(started.tools), prompt: 'x' });
// @ts-expect-error: a failure has no tools
console.log(started.tools);
console.log([listSkillsTool(found), loadSkillTool(skills)].map(toAnthropicTool), skills.as({ team: 'office' }).catalog());
await using tested = await openTestSkills({ 'a/SKILL.md': skillText({ name: 'a', description: 'b' }) });
await skills.search('pdf');
// @ts-expect-error: an option that does not exist
await skills.search({ query: 'pdf', limits: 3 });
const rights: GatewayOptions = { write: 'agent', run: false };
// @ts-expect-error: who writes must be said
createGateway(skills, { write: true });
console.log(createGateway(skills, rights), toAnthropicTool(ctxTool(skills, rights)));
console.log(results, definition, problem, SkillRegistry.over(found).search('pdf'), agentTools(skills).map(toAnthropicTool));
const wide: SkillLoaderOptions = { includeDisabled: true, includeUnavailable: true };
const { skills: discovered } = await discoverSkills(wide);
const off: DiscoveredSkill | undefined = discovered.find(({ disabled, unavailable }) => disabled || unavailable);
console.log(off?.unavailableReason);
const request: InstallOptions = { url: 'https://example.org/pdf', ref: 'v1', name: 'forms' };
const installed: InstallResult = await new SkillInstaller().install(request);
console.log(installed.ok ? installed.installed.map(({ name, path }) => [name, path]) : installed.message);
const plugin: PluginDefinition = { url: 'https://example.org/pdf' };
const manifest: { name: string; description: string } = SkillManifestSchema.parse({ name: 'a', description: 'b' });
console.log(plugin.enabled, manifest, Tool === ToolsetTool);
console.log(tested, SkillReflector, auditSkills, fix, newSkill, validate, createMcpServer);
`;

test.each(['nodenext', 'bundler'] as const)(
  'every entry point of the package type-checks with the module resolution %s',
  (resolution) => {
    // The declarations themselves are the same files; checking them once is enough.
    const skipLibCheck = resolution === 'bundler';
    expect(typeCheck({ 'main.ts': CONSUMER }, { resolution, skipLibCheck })).toEqual([]);
  },
);

/** Our tools in the places where the official packages take tools. */
const OFFICIAL = `
import Anthropic from '@anthropic-ai/sdk';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { Agent } from '@mastra/core/agent';
import type { Client } from '@modelcontextprotocol/client';
import { generateText } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import type { Skills } from 'skillplane';
import { agentTools, toAnthropicTool, toLangChainTool, toMastraTool, toMcpTool, toOpenAiChatTool, toOpenAiResponsesTool } from 'skillplane/agent';
import { toolSet } from 'skillplane/ai-sdk';

declare const skills: Skills;
declare const model: Parameters<typeof generateText>[0]['model'];
const tools = agentTools(skills, { run: true });

await new Anthropic().messages.create({ model: 'm', max_tokens: 1, messages: [], tools: tools.map(toAnthropicTool) });
await new OpenAI().chat.completions.create({ model: 'm', messages: [], tools: tools.map(toOpenAiChatTool) });
await new OpenAI().responses.create({ model: 'm', tools: tools.map(toOpenAiResponsesTool) });
await generateText({ model, prompt: '', tools: toolSet(skills, { run: true }) });
await generateText({ model, prompt: '', tools: toolSet(tools) });
const listed: Awaited<ReturnType<Client['listTools']>>['tools'] = tools.map(toMcpTool);
const langChain = tools.map((tool) => new DynamicStructuredTool(toLangChainTool(tool)));
createAgent({ model: 'openai:gpt', tools: langChain });
const mastra = Object.fromEntries(tools.map((tool) => [tool.name, toMastraTool(tool)]));
new Agent({ id: 'a', name: 'a', instructions: '', model: 'openai/gpt', tools: mastra });
console.log(listed);
`;

test.each(['nodenext', 'bundler'] as const)(
  'the official packages take our converted tools, with the module resolution %s',
  (resolution) => {
    expect(typeCheck({ 'main.ts': OFFICIAL }, { resolution, skipLibCheck: true })).toEqual([]);
  },
);
