import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { codeSamples } from './support/code-samples.ts';
import { makeConsumer, typeCheck } from './support/consumer.ts';
import { skillText } from './support/tree.ts';

/** The agent that README.md shows. It leaves the choice of a model to the reader. */
const AGENT = codeSamples('README.md').find((sample) => sample.includes("from 'ai'")) ?? '';

/** A model that loads a skill, runs its script, and repeats what the script printed. */
const MODEL = `
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: {}, outputTokens: {} };
const call = (toolName, input, toolCallId) => ({
  content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' }, usage, warnings: [],
});
const say = (text) => ({ content: [{ type: 'text', text }], finishReason: { unified: 'stop' }, usage, warnings: [] });
const steps = [
  () => call('load_skill', { name: 'pdf' }, 'a'),
  () => call('run_skill_script', { name: 'pdf', script: 'fill.sh', args: ['form.pdf', 'data.json'] }, 'b'),
  ({ prompt }) => say(prompt.at(-1).content[0].output.value),
];
const model = new MockLanguageModelV4({ doGenerate: async (options) => steps.shift()(options) });
`;

const REPORT = `
const [{ prompt, tools }] = model.doGenerateCalls;
console.log(JSON.stringify({ text, prompt, tools: tools.map(({ name }) => name) }));
`;

test('the agent in README.md loads a skill and runs its script', () => {
  const root = makeConsumer({
    'main.js': `${MODEL}${AGENT}${REPORT}`,
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    'home/.agent/skills/pdf/SKILL.md': skillText({ description: 'Fill PDF forms.' }, 'Run scripts/fill.sh.\n'),
    'home/.agent/skills/pdf/scripts/fill.sh': 'echo "filled $1 from $2"\n',
  });
  const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), AI_SDK_LOG_WARNINGS: 'false' };
  const printed = execFileSync(process.execPath, ['main.js'], { cwd: root, env, encoding: 'utf8' });
  const { text, prompt, tools }: Record<string, unknown> = JSON.parse(printed);
  expect(text).toMatch(/^The script ended with exit code 0\.\n[^]*stdout:\nfilled form\.pdf from data\.json$/);
  expect(tools).toEqual(['load_skill', 'search_skills', 'read_skill_resource', 'run_skill_script']);
  expect(prompt).toMatchObject([
    { role: 'system', content: expect.stringContaining('Fill PDF forms.') },
    { role: 'user', content: [{ type: 'text', text: 'Fill form.pdf from data.json' }] },
  ]);
});

test('the agent in README.md type-checks with the AI SDK without a cast', () => {
  const declared = "import type { LanguageModel } from 'ai';\ndeclare const model: LanguageModel;\n";
  expect(typeCheck({ 'agent.ts': `${declared}${AGENT}console.log(text);\n` }, { skipLibCheck: true })).toEqual([]);
});
