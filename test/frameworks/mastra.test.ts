import { expect, test } from 'vitest';

import { answer } from '../../examples/mastra-agent.ts';
import { ANSWER, readPrompt, REQUEST, RESULTS, scriptedModel, startTrial } from '../support/framework-trial.ts';

test('an agent of Mastra finds, loads and runs a skill, and sees a failure as a tool error', async () => {
  const model = scriptedModel();
  const agent = await startTrial();
  // Mastra's own type of a model asks for parts of a stream that the AI SDK does not give.
  expect(await answer(agent, REQUEST, model as never)).toBe(ANSWER);
  const seen = readPrompt(model);
  expect(seen.system).toBe(agent.system);
  expect(seen.texts).toEqual(RESULTS);
  expect(seen.kinds).toEqual(['text', 'text', 'text', 'text', 'error-text']);
});
