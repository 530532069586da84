import OpenAI from 'openai';
import { expect, test } from 'vitest';

import { callTool } from '../../src/agent/call-tool.ts';
import { toOpenAiChatTool, toOpenAiResponsesTool } from '../../src/agent/tool-formats.ts';
import { ANSWER, REQUEST, RESULTS, startTrial, STEPS } from '../support/framework-trial.ts';
import { startScriptedApi } from '../support/scripted-api.ts';

// The API has no flag for a failed call: the text says it.
test("a loop with OpenAI's client for Chat Completions finds, loads and runs a skill, and is told of a failure", async () => {
  const say = (message: object, finish_reason: string): object => {
    return { id: 'c', object: 'chat.completion', model: 'm', choices: [{ index: 0, message, finish_reason }] };
  };
  const calls = STEPS.map(([name, args], at) => {
    const call = { id: `call-${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
    return say({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls');
  });
  const { url } = await startScriptedApi([...calls, say({ role: 'assistant', content: ANSWER }, 'stop')]);
  const client = new OpenAI({ apiKey: 'key', baseURL: url, maxRetries: 0 });

  const agent = await startTrial();
  const tools = agent.tools.map(toOpenAiChatTool);
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: agent.system },
    { role: 'user', content: REQUEST },
  ];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'm', tools, messages });
    const message = choices[0]?.message;
    if (message === undefined) throw new Error('no answer');
    messages.push(message);
    const asked = (message.tool_calls ?? []).filter((call) => call.type === 'function');
    for (const { id, function: called } of asked) {
      const { text } = await callTool(agent.tools, { name: called.name, args: called.arguments });
      messages.push({ role: 'tool', tool_call_id: id, content: text });
    }
    if (asked.length === 0) break;
  }

  expect(messages.at(-1)?.content).toBe(ANSWER);
  expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(RESULTS);
});

test("a loop with OpenAI's client for Responses finds, loads and runs a skill, and is told of a failure", async () => {
  const calls = STEPS.map(([name, args], at) => {
    return { type: 'function_call', id: `f${at}`, call_id: `call-${at}`, name, arguments: JSON.stringify(args) };
  });
  const said = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] };
  const { url } = await startScriptedApi(
    [...calls, said].map((item) => ({ id: 'r', object: 'response', output: [item] })),
  );
  const client = new OpenAI({ apiKey: 'key', baseURL: url, maxRetries: 0 });

  const agent = await startTrial();
  const tools = agent.tools.map(toOpenAiResponsesTool);
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: REQUEST }];
  let answer: string | undefined;
  while (answer === undefined) {
    const asked = await client.responses.create({ model: 'm', instructions: agent.system, tools, input });
    const called = asked.output.filter((item) => item.type === 'function_call');
    input.push(...called);
    for (const { call_id, name, arguments: args } of called) {
      const { text } = await callTool(agent.tools, { name, args });
      input.push({ type: 'function_call_output', call_id, output: text });
    }
    if (called.length === 0) answer = asked.output_text;
  }

  expect(answer).toBe(ANSWER);
  const sent = input.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
  expect(sent).toEqual(RESULTS);
});
