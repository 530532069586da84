import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { codeSamples } from './support/code-samples.ts';
import { makeConsumer } from './support/consumer.ts';

const GUIDE = 'docs/guide/your-own-agent.md';

/** The first block in this language. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';
}

/** The agent of "In ten minutes", and the same steps without a model. */
const [AGENT = '', STEPS = ''] = codeSamples(GUIDE);

/** A model that loads the skill, runs its script with the file, and repeats the answer. */
const MODEL = `
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: {}, outputTokens: {} };
const call = (toolName, input) => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' }, usage, warnings: [],
});
const say = (text) => ({ content: [{ type: 'text', text }], finishReason: { unified: 'stop' }, usage, warnings: [] });
const steps = [
  () => call('load_skill', { name: 'report' }),
  () => call('run_skill_script', { name: 'report', script: 'report.sh', args: ['sales.csv'], inputs: ['sales.csv'] }),
  ({ prompt }) => say(prompt.at(-1).content[0].output.value),
];
const model = new MockLanguageModelV4({ doGenerate: async (options) => steps.shift()(options) });
`;

function runSample(main: string): { readonly root: string; readonly printed: string } {
  const root = makeConsumer({
    'main.js': main,
    'home/': '',
    'sales.csv': 'name,price\na,1\nb,2\n',
    'skills/report/SKILL.md': block('markdown'),
    'skills/report/scripts/report.sh': block('sh'),
  });
  const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), AI_SDK_LOG_WARNINGS: 'false' };
  return { root, printed: execFileSync(process.execPath, ['main.js'], { cwd: root, env, encoding: 'utf8' }) };
}

const REPORT = /^# Report\n\S*sales\.csv has 2 rows\.\n$/;

test('the agent of the guide runs a script that writes a file, and leaves the file where its program wants it', () => {
  const { root, printed } = runSample(`${MODEL}${AGENT}`);
  expect(printed).toContain('exit code 0');
  expect(printed).toContain('report.md (');
  expect(readFileSync(join(root, 'made/report.md'), 'utf8')).toMatch(REPORT);
});

test('the same steps of the guide work without a model', () => {
  const open = `import { openSkills } from 'skillplane';
    const skills = await openSkills({ dirs: [{ path: './skills', trusted: true }] });`;
  const { root } = runSample(`${open}${STEPS}await skills.close();`);
  expect(readFileSync(join(root, 'reports/report.md'), 'utf8')).toMatch(REPORT);
});
