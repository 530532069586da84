import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { startScriptedApi, type ApiRequest, type ScriptedAnswer } from './support/scripted-api.ts';
import { makeTree, skillText } from './support/tree.ts';

const REQUESTS = [
  { query: 'Fill in the form with my address', right: ['pdf'] },
  { query: 'Write to Ann that I am late', right: ['mail'] },
  { query: 'Sign this invoice', not: ['pdf'] },
  { query: 'What is the weather?' },
];

function makeHome(): string {
  return makeTree({
    'skills/pdf/SKILL.md': skillText({ description: 'Fill PDF forms. Use when a form must be filled in.' }),
    'skills/mail/SKILL.md': skillText({ description: 'Write letters. Use when a letter must be written.' }),
    'requests.jsonl': REQUESTS.map((request) => `${JSON.stringify(request)}\n`).join(''),
    'home/': '',
  });
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(root: string, args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), A_KEY: 'secret' };
  try {
    const ended = await promisify(execFile)(process.execPath, ['bench/with-model.ts', ...args], { env });
    return { code: 0, ...ended };
  } catch (error) {
    return error as Ended;
  }
}

function call(name: string, args: object): ScriptedAnswer {
  const tool_calls = [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }];
  return { choices: [{ message: { role: 'assistant', content: null, tool_calls } }], usage: { total_tokens: 100 } };
}

const DONE: ScriptedAnswer = {
  choices: [{ message: { role: 'assistant', content: 'Done.' } }],
  usage: { total_tokens: 50 },
};

test('with-model counts right loads, wrong loads, searches and tokens of a model behind any OpenAI-compatible endpoint', async () => {
  const root = makeHome();
  const { url, requests } = await startScriptedApi([
    // Finds the skill for the form in the list.
    call('load_skill', { name: 'pdf' }),
    // Searches, loads the wrong skill, then the right one.
    call('search_skills', { query: 'write a message' }),
    call('load_skill', { name: 'pdf' }),
    call('load_skill', { name: 'Mail' }),
    // Falls for the near miss.
    call('load_skill', { name: 'pdf' }),
    DONE,
    DONE,
  ]);
  const options = ['--url', `${url}/v1`, '--model', 'a-model', '--key-env', 'A_KEY'];
  const files = ['--skills', join(root, 'skills'), '--requests', join(root, 'requests.jsonl')];
  const { stdout, stderr } = await run(root, [...options, ...files]);
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter((line) => line.startsWith('| 2 '))).toEqual([
    '| 2 | 2 | served | 2 of 2 | 0.50 | 0.50 | 200 |',
    '| 2 | 1 | near miss | 0 of 1 | 1.00 | 0.00 | 150 |',
    '| 2 | 1 | unserved | 1 of 1 | 0.00 | 0.00 | 50 |',
  ]);
  const [first] = requests;
  expect([first?.path, first?.headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer secret']);
  expect(toolsOf(first)).toEqual(['load_skill', 'search_skills', 'read_skill_resource']);
  expect(JSON.stringify(first?.body)).toContain('compare it with the skills below');
});

function toolsOf(request: ApiRequest | undefined): readonly string[] {
  const { tools } = (request?.body ?? { tools: [] }) as { tools: readonly { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name);
}

test('with-model says how it is called, and what is wrong with an endpoint', async () => {
  const root = makeHome();
  const files = ['--skills', join(root, 'skills'), '--requests', join(root, 'requests.jsonl')];
  expect(await run(root, files)).toMatchObject({ code: 2, stderr: expect.stringContaining('usage: ') });
  expect(await run(root, ['--modell', 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--modell') });
  const { url } = await startScriptedApi([]);
  const options = ['--model', 'a-model', ...files, '--url'];
  expect(await run(root, [...options, url])).toMatchObject({
    code: 1,
    stderr: `${url}/chat/completions answered 500: {"error":"the script has ended"}\n`,
  });
  expect(await run(root, [...options, 'http://127.0.0.1:1'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('http://127.0.0.1:1/chat/completions does not answer'),
  });
});
