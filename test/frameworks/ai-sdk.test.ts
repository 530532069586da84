import { generateText, isStepCount } from 'ai';
import { expect, test } from 'vitest';

import { toolSet } from '../../src/ai-sdk.ts';
import { ANSWER, readPrompt, REQUEST, RESULTS, scriptedModel, startTrial } from '../support/framework-trial.ts';

test('a model of the AI SDK finds, loads and runs a skill, and sees a failure as a tool error', async () => {
  const model = scriptedModel();
  const { system, tools } = await startTrial();
  const { text } = await generateText({
    model,
    system,
    tools: toolSet(tools),
    prompt: REQUEST,
    stopWhen: isStepCount(10),
  });
  expect(text).toBe(ANSWER);
  const seen = readPrompt(model);
  expect(seen.system).toBe(system);
  expect(seen.texts).toEqual(RESULTS);
  expect(seen.kinds).toEqual(['text', 'text', 'text', 'text', 'error-text']);
});
