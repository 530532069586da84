import { expect, test } from 'vitest';

import { Tool } from '../activate/toolsets/tool.ts';
import { fail } from '../model/outcome.ts';
import { callTool } from './call-tool.ts';

const greet = Tool.define('greet', {
  description: 'Greets a person.',
  parameters: { type: 'object', properties: { name: { type: 'string' } } },
  execute: ({ name }, { signal }) => ({
    output: signal.aborted ? 'too late' : `Hello, ${String(name)}!`,
    metadata: { name },
  }),
});
const refusing: Tool = {
  ...greet,
  name: 'refuse',
  execute: async () => fail('STORE_FAILED', 'it is full', { retry: 'later' }),
};

test('callTool runs the named tool, with arguments as an object or as JSON text', async () => {
  const answer = { text: 'Hello, Ada!', isError: false, metadata: { name: 'Ada' } };
  expect(await callTool([greet], { name: 'greet', args: { name: 'Ada' } })).toEqual(answer);
  expect(await callTool([greet], { name: 'greet', args: '{"name":"Ada"}' })).toEqual(answer);
});

test('callTool returns a failed tool’s message and next step as an error text for the model', async () => {
  expect(await callTool([refusing], { name: 'refuse', args: {} })).toEqual({
    text: 'it is full. Try again later.',
    isError: true,
    metadata: {},
  });
});

test('callTool answers an unknown tool name with the available tools', async () => {
  expect(await callTool([greet], { name: 'rm\u200B', args: {} })).toMatchObject({
    text: 'no tool called "rm\uFFFD"; available: greet',
    isError: true,
  });
  expect(await callTool([], { name: 'x', args: {} })).toMatchObject({ text: 'no tool called "x"; available: none' });
});

test('callTool passes its abort signal to the tool', async () => {
  expect(await callTool([greet], { name: 'greet', args: {}, signal: AbortSignal.abort() })).toMatchObject({
    text: 'too late',
  });
});
