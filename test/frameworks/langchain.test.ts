import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { expect, test } from 'vitest';

import { answer } from '../../examples/langchain-agent.ts';
import { ANSWER, REQUEST, RESULTS, startTrial, STEPS } from '../support/framework-trial.ts';

test('an agent of LangChain finds, loads and runs a skill, and sees a failure as a tool error', async () => {
  const model = fakeModel();
  for (const [name, args] of STEPS) model.respondWithTools([{ name, args }]);
  model.respond(new AIMessage(ANSWER));
  const agent = await startTrial();
  expect(await answer(agent, REQUEST, model)).toBe(ANSWER);
  const messages = model.calls.at(-1)?.messages ?? [];
  expect(messages[0]?.text).toBe(agent.system);
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  expect(results.map(({ text }) => text)).toEqual(RESULTS);
  expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success', 'error']);
  expect(results[3]?.artifact).toMatchObject({ exitCode: 0 });
});
