import { asSchema, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { Tool } from '../activate/toolsets/tool.ts';
import { defineAgentTool, READ_ONLY } from './agent-tool.ts';
import {
  toAiSdkTool,
  toAnthropicTool,
  toLangChainTool,
  toMastraTool,
  toMcpTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from './tool-formats.ts';
import { COUNT, outputSchema, TEXT } from './tool-output.ts';

const greet = Tool.define('greet', {
  description: 'Greets a person.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }, { signal }) => (signal.aborted ? 'too late' : `Hello, ${name}!`),
});
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

test('toAnthropicTool returns a tool for Anthropic’s Messages API', () => {
  expect(toAnthropicTool(greet)).toEqual({
    name: 'greet',
    description: 'Greets a person.',
    input_schema: schema,
  });
});

test('toLangChainTool returns the fields of a tool of LangChain, whose failures are thrown', async () => {
  const { func, ...fields } = toLangChainTool(greet);
  expect(fields).toMatchObject({ name: 'greet', description: 'Greets a person.', schema });
  expect(await func({ name: 'Ada' })).toEqual(['Hello, Ada!', {}]);
  expect(await func({ name: 'Ada' }, undefined, { signal: AbortSignal.abort() })).toEqual(['too late', {}]);
  await expect(func({ name: 1 })).rejects.toThrow(/name/);
});

test('toMastraTool returns a tool for an agent of Mastra, which wants an id', async () => {
  const tool = toMastraTool(greet);
  expect(tool).toMatchObject({ id: 'greet', description: 'Greets a person.' });
  expect(await tool.execute({ name: 'Ada' })).toMatchObject({ output: 'Hello, Ada!' });
});

test('toOpenAiChatTool returns a tool for OpenAI’s Chat Completions API', () => {
  expect(toOpenAiChatTool(greet)).toEqual({
    type: 'function',
    function: { name: 'greet', description: 'Greets a person.', parameters: schema },
  });
});

test('toOpenAiResponsesTool returns a tool for OpenAI’s Responses API that is not strict', () => {
  expect(toOpenAiResponsesTool(greet)).toEqual({
    type: 'function',
    name: 'greet',
    description: 'Greets a person.',
    parameters: schema,
    strict: false,
  });
});

test('toMcpTool returns a tool for MCP that names its JSON Schema dialect', () => {
  expect(toMcpTool(greet)).toEqual({
    name: 'greet',
    description: 'Greets a person.',
    inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
  });
});

test('toMcpTool keeps title, annotations and output schema, and toAiSdkTool keeps the title', () => {
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

test('toAiSdkTool returns a tool whose schema the AI SDK recognizes as its own', async () => {
  const tool = toAiSdkTool(greet);
  expect(tool.description).toBe('Greets a person.');
  expect(asSchema(tool.inputSchema)).toBe(tool.inputSchema);
  expect(await asSchema(tool.inputSchema).jsonSchema).toEqual(schema);
  expect(await tool.execute({ name: 'Ada' })).toEqual({ output: 'Hello, Ada!' });
  expect(await tool.execute({ name: 'Ada' }, { abortSignal: AbortSignal.abort() })).toEqual({ output: 'too late' });
  await expect(tool.execute({})).rejects.toMatchObject({ code: 'TOOLSET_FAILED' });
});

test('toAiSdkTool gives the model the text of an answer, in every version of the AI SDK', () => {
  const { toModelOutput } = toAiSdkTool(greet);
  const text = { type: 'text', value: 'Hello, Ada!' };
  // Version 5, later ones, and an answer that was stored as text.
  expect(toModelOutput({ output: 'Hello, Ada!' })).toEqual(text);
  expect(toModelOutput({ output: { count: 1, output: 'Hello, Ada!' } })).toEqual(text);
  expect(toModelOutput({ output: { count: 1 } })).toEqual({ type: 'text', value: '{"count":1}' });
});

test('toAiSdkTool returns a schema that other frameworks can use as a Standard Schema', async () => {
  const { '~standard': standard } = toAiSdkTool(greet).inputSchema;
  expect(standard.jsonSchema.input()).toEqual(schema);
  expect(await asSchema({ '~standard': standard }).jsonSchema).toMatchObject(schema);
  expect(await standard.validate({ name: 5 })).toEqual({ value: { name: 5 } });
});

test('the AI SDK can call a tool of toAiSdkTool, and a failure is a tool error with only its text', async () => {
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
    outputs.push(
      (await generateText({ model, prompt, tools })).content.map((part) =>
        part.type === 'tool-error' ? String(part.error) : part.type === 'tool-result' ? part.output : undefined,
      ),
    );
  expect(model.doGenerateCalls[0]?.tools).toMatchObject([{ type: 'function', name: 'greet', inputSchema: schema }]);
  expect(outputs).toEqual([
    [undefined, { output: 'Hello, Ada!' }],
    [undefined, expect.stringMatching(/^greet: the arguments are wrong/)],
  ]);
});
