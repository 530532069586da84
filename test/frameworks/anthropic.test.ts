import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';

import { callTool } from '../../src/agent/call-tool.ts';
import { toAnthropicTool } from '../../src/agent/tool-formats.ts';
import { ANSWER, REQUEST, RESULTS, startTrial, STEPS } from '../support/framework-trial.ts';
import { startScriptedApi } from '../support/scripted-api.ts';

test("a loop with Anthropic's client finds, loads and runs a skill, and sends a failure as a tool error", async () => {
  const say = (content: object, stop_reason: string): object => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    return { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [content], stop_reason, usage };
  };
  const calls = STEPS.map(([name, input], at) => say({ type: 'tool_use', id: `call-${at}`, name, input }, 'tool_use'));
  const { url, requests } = await startScriptedApi([...calls, say({ type: 'text', text: ANSWER }, 'end_turn')]);
  const client = new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0 });

  const agent = await startTrial();
  const tools = agent.tools.map(toAnthropicTool);
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: REQUEST }];
  for (;;) {
    const asked = await client.messages.create({ model: 'm', max_tokens: 99, system: agent.system, tools, messages });
    messages.push({ role: 'assistant', content: asked.content });
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const block of asked.content) {
      if (block.type !== 'tool_use') continue;
      const { text, isError } = await callTool(agent.tools, { name: block.name, args: block.input });
      results.push({ type: 'tool_result', tool_use_id: block.id, content: text, is_error: isError });
    }
    if (results.length === 0) break;
    messages.push({ role: 'user', content: results });
  }

  expect(messages.at(-1)?.content).toMatchObject([{ type: 'text', text: ANSWER }]);
  const { system, tools: offered } = requests[0]?.body ?? {};
  expect(system).toBe(agent.system);
  expect(offered).toMatchObject(tools.map(({ name }) => ({ name, input_schema: { type: 'object' } })));
  const sent = messages.flatMap(({ role, content }) => (role === 'user' && typeof content !== 'string' ? content : []));
  const isError = (at: number): boolean => at === STEPS.length - 1;
  expect(sent).toMatchObject(RESULTS.map((content, at) => ({ type: 'tool_result', content, is_error: isError(at) })));
});
