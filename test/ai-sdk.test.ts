import { generateText, isStepCount, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, onTestFinished, test } from 'vitest';

import { ActivationLedger } from '../src/agent/activation-ledger.ts';
import { forAgent } from '../src/agent/for-agent.ts';
import { toolSet } from '../src/ai-sdk.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { skillText, type Tree } from './support/tree.ts';
import { makeWorld } from './support/world.ts';

const BODY = 'Read references/tables.md first.\n';
const PDF = skillText({ description: 'Fill PDF forms.' }, BODY);

const TREE: Tree = {
  'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
  'home/.agent/skills/pdf/SKILL.md': PDF,
  'home/.agent/skills/pdf/references/tables.md': '# Tables\n',
  'home/.agent/skills/mail/SKILL.md': skillText({ description: 'Write letters.' }),
};

async function open(): Promise<Skills> {
  const { project, home, env } = makeWorld(TREE);
  const skills = await openSkills({ cwd: project, home, env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

function toolSetOf(skills: Skills): ToolSet {
  return toolSet(skills, { ledger: new ActivationLedger() });
}

type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Step = readonly [tool: string, input: object];

function answer(content: Answer['content'][number], unified: Answer['finishReason']['unified']): Answer {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
}

/** A model that calls these tools one after the other, then says that it is done. */
function modelThatCalls(...steps: readonly Step[]): MockLanguageModelV4 {
  const calls = steps.map(([toolName, input], at) =>
    answer({ type: 'tool-call', toolCallId: `call-${at}`, toolName, input: JSON.stringify(input) }, 'tool-calls'),
  );
  return new MockLanguageModelV4({ doGenerate: [...calls, answer({ type: 'text', text: 'Done.' }, 'stop')] });
}

/** The tool results that the model received, in order. */
async function resultsOf(skills: Skills, ...steps: readonly Step[]): Promise<readonly unknown[]> {
  const model = modelThatCalls(...steps);
  const tools = toolSetOf(skills);
  const { text } = await generateText({ model, tools, prompt: 'Fill the form.', stopWhen: isStepCount(10) });
  expect(text).toBe('Done.');
  const messages = model.doGenerateCalls.at(-1)?.prompt ?? [];
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return parts.map((part) => (part.type === 'tool-result' ? part.output : part));
}

test('a model of the AI SDK searches a skill, loads it and reads a file of it', async () => {
  const skills = await open();
  const [found, loaded, read, again] = await resultsOf(
    skills,
    ['search_skills', { query: 'fill in a pdf form' }],
    ['load_skill', { name: 'pdf' }],
    ['read_skill_resource', { name: 'pdf', path: 'references/tables.md' }],
    ['load_skill', { name: 'pdf' }],
  );
  expect(found).toEqual({
    type: 'text',
    value: expect.stringMatching(/^Best first:\n- pdf: Fill PDF forms\.\nLoad the one /),
  });
  const dir = skills.catalog().skills.find(({ name }) => name === 'pdf')?.dir;
  expect(loaded).toEqual({
    type: 'text',
    value: `<skill name="pdf">\nSkill directory: ${dir}\nFiles: references/tables.md\n\n${BODY}</skill>\nFollow these instructions now. Read a file of this skill with read_skill_resource (name "pdf").`,
  });
  const url = 'skill://pdf/references/tables.md';
  expect(read).toEqual({ type: 'text', value: `${url} (text/markdown, 9 bytes)\n\n# Tables\n` });
  expect(again).toEqual({ type: 'text', value: expect.stringContaining('is already loaded and has not changed') });
  expect([...(await skills.usage.lastUsed(['pdf', 'mail'])).keys()]).toEqual(['pdf']);
});

test('a model of the AI SDK is offered the tools with their schemas', async () => {
  const skills = await open();
  const model = modelThatCalls();
  await generateText({ model, tools: toolSetOf(skills), prompt: 'Hello.' });
  const offered = model.doGenerateCalls[0]?.tools ?? [];
  expect(offered.map(({ name }) => name)).toEqual(['load_skill', 'search_skills', 'read_skill_resource']);
  expect(offered[0]).toMatchObject({
    type: 'function',
    description: expect.stringMatching(/Call it before you act on a request that a skill covers/),
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  });
});

test('a model of the AI SDK is told what went wrong and continues', async () => {
  const [unknown, wrong] = await resultsOf(await open(), ['load_skill', { name: 'pfd' }], ['load_skill', {}]);
  expect(unknown).toEqual({
    type: 'error-text',
    value: 'There is no skill "pfd". Nearest: pdf. Load that one if it fits, or call search_skills with the task.',
  });
  expect(wrong).toEqual({
    type: 'error-text',
    value: 'load_skill takes {"name": "<name>"}; you sent {}: "name" is missing',
  });
});

test('an agent from forAgent knows only its own skills, from its system prompt to its tools', async () => {
  const started = await forAgent(await open(), { system: 'You are a clerk.', skills: ['mail'] });
  if (!started.ok) throw new Error(started.message);
  const { system, tools } = started;
  const model = modelThatCalls(
    ['search_skills', { query: 'fill in a pdf form' }],
    ['load_skill', { name: 'pdf' }],
    ['load_skill', { name: 'mail' }],
  );
  const { text } = await generateText({
    model,
    system,
    tools: toolSet(tools),
    prompt: 'Fill the form.',
    stopWhen: isStepCount(10),
  });
  expect(text).toBe('Done.');
  const [first] = model.doGenerateCalls;
  expect(first?.prompt[0]).toEqual({
    role: 'system',
    content: expect.stringMatching(/^You are a clerk\.\n\n## Skills\n\n[^\n]+\n\n- mail: Write letters\.$/),
  });
  expect(first?.tools?.map(({ name }) => name)).toEqual(['load_skill', 'search_skills', 'read_skill_resource']);
  const results = (model.doGenerateCalls.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === 'tool' ? message.content : [],
  );
  expect(results).toMatchObject([
    { output: { value: 'No skill has to do with "fill in a pdf form". Go on without a skill.' } },
    { output: { type: 'error-text', value: 'There is no skill "pdf". Call search_skills with the task.' } },
    { output: { value: expect.stringContaining('Instructions.') } },
  ]);
});
