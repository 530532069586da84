import { asSchema, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { Tool } from '../activate/toolsets/tool.ts';
import { defineAgentTool, READ_ONLY } from './agent-tool.ts';
import { toAiSdkTool, toAnthropicTool, toMcpTool, toOpenAiChatTool, toOpenAiResponsesTool } from './tool-formats.ts';
import { COUNT, outputSchema, TEXT } from './tool-output.ts';

const greet = Tool.define('greet', {
  description: 'Greets a person.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }, { signal }) => (signal.aborted ? 'too late' : `Hello, ${name}!`),
});
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

test('a tool for the Messages API of Anthropic', () => {
  expect(toAnthropicTool(greet)).toEqual({
    name: 'greet',
    description: 'Greets a person.',
    input_schema: schema,
  });
});

test('a tool for the Chat Completions API of OpenAI', () => {
  expect(toOpenAiChatTool(greet)).toEqual({
    type: 'function',
    function: { name: 'greet', description: 'Greets a person.', parameters: schema },
  });
});

test('a tool for the Responses API of OpenAI, which must be told that parameters may be left out', () => {
  expect(toOpenAiResponsesTool(greet)).toEqual({
    type: 'function',
    name: 'greet',
    description: 'Greets a person.',
    parameters: schema,
    strict: false,
  });
});

test('a tool for the Model Context Protocol, with its dialect', () => {
  expect(toMcpTool(greet)).toEqual({
    name: 'greet',
    description: 'Greets a person.',
    inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
  });
});

test('the title, annotations and output schema of a tool of ours, in MCP and as far as the AI SDK has a place for them', () => {
  const tool = defineAgentTool({
    name: 'count',
    title: 'Count',
    description: 'Counts.',
    annotations: READ_ONLY,
    input: {},
    output: outputSchema({ count: COUNT, note: TEXT }, ['note']),
    execute: () => ({ ok: true, title: 'Counted', metadata: { count: 1 }, output: '1' }),
  });
  expect(toMcpTool(tool)).toEqual({
    name: 'count',
    title: 'Count',
    description: 'Counts.',
    annotations: {
      title: 'Count',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 0 }, note: { type: 'string' } },
      required: ['count'],
    },
  });
  expect(toAiSdkTool(tool).title).toBe('Count');
});

test('a tool for the AI SDK, which takes its schema for one of its own', async () => {
  const tool = toAiSdkTool(greet);
  expect(tool.description).toBe('Greets a person.');
  expect(asSchema(tool.inputSchema)).toBe(tool.inputSchema);
  expect(await asSchema(tool.inputSchema).jsonSchema).toEqual(schema);
  expect(await tool.execute({ name: 'Ada' })).toBe('Hello, Ada!');
  expect(await tool.execute({ name: 'Ada' }, { abortSignal: AbortSignal.abort() })).toBe('too late');
  expect(await tool.execute({})).toMatchObject({ ok: false, code: 'TOOLSET_FAILED' });
});

test('its schema is a standard one for all other frameworks', async () => {
  const { '~standard': standard } = toAiSdkTool(greet).inputSchema;
  expect(standard.jsonSchema.input()).toEqual(schema);
  expect(await asSchema({ '~standard': standard }).jsonSchema).toMatchObject(schema);
  expect(await standard.validate({ name: 5 })).toEqual({ value: { name: 5 } });
});

test('the AI SDK calls such a tool, and takes a failure for an answer', async () => {
  const call = (input: object): object => ({
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'greet', input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: { inputTokens: {}, outputTokens: {} },
    warnings: [],
  });
  const answers = [call({ name: 'Ada' }), call({ name: 5 })];
  const model = new MockLanguageModelV4({ doGenerate: () => Promise.resolve(answers.shift() as never) });
  const tools = { greet: toAiSdkTool(greet) };
  const outputs = [];
  for (const prompt of ['well', 'wrongly'])
    outputs.push((await generateText({ model, prompt, tools })).toolResults.map(({ output }) => output));
  expect(model.doGenerateCalls[0]?.tools).toMatchObject([{ type: 'function', name: 'greet', inputSchema: schema }]);
  expect(outputs).toEqual([['Hello, Ada!'], [expect.objectContaining({ ok: false, code: 'TOOLSET_FAILED' })]]);
});
