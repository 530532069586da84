import { tool, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

import { answer as answerRequest } from '../examples/reflect-with-ai-sdk.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { makeWorld } from './support/world.ts';

type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

function answer(...content: Answer['content']): Answer {
  const unified = content[0]?.type === 'tool-call' ? 'tool-calls' : 'stop';
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
}

function call(toolName: string, input: object, toolCallId: string): Answer['content'][number] {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) };
}

const done = (text: string): Answer => answer({ type: 'text', text });

async function open(): Promise<Skills> {
  const { project, home, env } = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' });
  const skills = await openSkills({ cwd: project, home, env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return skills;
}

const TOOLS: ToolSet = {
  bash: tool({
    description: 'Runs a command.',
    inputSchema: z.object({ command: z.string() }),
    execute: async ({ command }) => `ran ${command}`,
  }),
};

const RELEASE = { name: 'release', description: 'Publishes a release.', content: '## Procedure\n\nTag, then push.' };

test('the reflection example answers, reflects, and keeps what it learned as a skill', async () => {
  const skills = await open();
  const model = new MockLanguageModelV4({
    doGenerate: [
      ...Array.from({ length: 5 }, (_, at) => answer(call('bash', { command: `step ${at}` }, `b-${at}`))),
      done('Released.'),
      // From here on the same model reflects on the turn.
      answer(call('list_skills', {}, 'r-1'), call('write_skill', RELEASE, 'r-2')),
      answer(call('bash', { command: 'rm' }, 'r-3')),
      done('Kept.'),
    ],
  });
  const { text, reflection } = await answerRequest(skills, 'Release it.', { model, tools: TOOLS });
  expect(text).toBe('Released.');
  expect(reflection).toEqual({ ended: 'finished', message: undefined, created: ['release'], updated: [], calls: 3 });
  expect((await skills.search({ query: 'publish a release' }))[0]).toMatchObject({ name: 'release' });

  const lookingBack = model.doGenerateCalls[6];
  expect(lookingBack?.tools?.map(({ name }) => name)).toEqual(['list_skills', 'load_skill', 'write_skill']);
  expect(JSON.stringify(lookingBack?.prompt)).toContain('ran step 4');
  const results = model.doGenerateCalls
    .at(-1)
    ?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  expect(results?.map((part) => (part.type === 'tool-result' ? part.output : part))).toEqual([
    { type: 'text', value: 'No skills available.' },
    { type: 'text', value: 'create_skill:release' },
    { type: 'error-text', value: 'no tool called "bash"; available: list_skills, load_skill, write_skill' },
  ]);
});

test('the reflection example does not reflect on a short turn', async () => {
  const model = new MockLanguageModelV4({ doGenerate: [done('Hello.')] });
  const { text, reflection } = await answerRequest(await open(), 'Hello.', { model });
  expect({ text, reflection }).toMatchObject({ text: 'Hello.', reflection: { ended: 'skipped' } });
  expect(model.doGenerateCalls).toHaveLength(1);
});
