import { expect, onTestFinished, test } from 'vitest';

import { answer as answerByAnthropic } from '../examples/anthropic-loop.ts';
import { answerByChat, answerByResponses } from '../examples/openai-loop.ts';
import { forAgent, type AgentStart } from '../src/agent/for-agent.ts';
import { openSkills } from '../src/engine/open-skills.ts';
import { startScriptedApi } from './support/scripted-api.ts';
import { skillText } from './support/tree.ts';
import { makeWorld } from './support/world.ts';

const REQUEST = 'Fill form.pdf from data.json';
const RUN = { name: 'pdf', script: 'fill.sh', args: ['form.pdf', 'data.json'] };
const TOOLS = ['load_skill', 'search_skills', 'read_skill_resource', 'run_skill_script'];
const LOADED = expect.stringContaining('Run scripts/fill.sh.');
const PRINTED = expect.stringMatching(/^The script ended with exit code 0\.\n[^]*filled form\.pdf from data\.json$/);
const SYSTEM = expect.stringMatching(
  /^You are a clerk\.\n\n## Skills\n\n[^\n]*load_skill[^\n]*\n\n- pdf: Fill PDF forms\.$/,
);
const UNKNOWN = `no tool called "bash"; available: ${TOOLS.join(', ')}`;

/** An agent with one of two skills. */
async function startAgent(): Promise<AgentStart> {
  const { project, home, env } = makeWorld(
    {
      'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
      'home/.agent/skills/pdf/SKILL.md': skillText({ description: 'Fill PDF forms.' }, 'Run scripts/fill.sh.\n'),
      'home/.agent/skills/pdf/scripts/fill.sh': 'echo "filled $1 from $2"\n',
      'home/.agent/skills/mail/SKILL.md': skillText({ description: 'Write letters.' }),
    },
    { PATH: '/usr/bin:/bin' },
  );
  const skills = await openSkills({ cwd: project, home, env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  const started = await forAgent(skills, { system: 'You are a clerk.', skills: ['pdf'], run: true });
  if (!started.ok) throw new Error(started.message);
  return started;
}

test('the example loop for the Anthropic API runs the tools that the model calls', async () => {
  const use = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
  const { url, requests } = await startScriptedApi([
    { content: [{ type: 'text', text: 'I load it.' }, use('t1', 'load_skill', { name: 'pdf' })] },
    { content: [use('t2', 'run_skill_script', RUN), use('t3', 'bash', {})] },
    { content: [{ type: 'text', text: 'Done.' }] },
  ]);
  const options = { apiKey: 'key', model: 'a-model', url };
  expect(await answerByAnthropic(await startAgent(), REQUEST, options)).toBe('Done.');
  expect(requests).toHaveLength(3);
  const { headers, body } = requests[2] ?? {};
  expect(headers).toMatchObject({ 'x-api-key': 'key', 'anthropic-version': '2023-06-01' });
  expect(body).toEqual({
    model: 'a-model',
    max_tokens: 8_192,
    system: SYSTEM,
    tools: TOOLS.map((name) => ({
      name,
      description: expect.any(String),
      input_schema: expect.objectContaining({ type: 'object' }),
    })),
    messages: [
      { role: 'user', content: REQUEST },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I load it.' }, use('t1', 'load_skill', { name: 'pdf' })],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: LOADED, is_error: false }] },
      { role: 'assistant', content: [use('t2', 'run_skill_script', RUN), use('t3', 'bash', {})] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't2', content: PRINTED, is_error: false },
          { type: 'tool_result', tool_use_id: 't3', content: UNKNOWN, is_error: true },
        ],
      },
    ],
  });
});

test('the example loop for Chat Completions runs the tools that the model calls', async () => {
  const message = (...calls: readonly (readonly [string, string, object])[]): object => ({
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([id, name, args]) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  });
  const first = message(['c1', 'load_skill', { name: 'pdf' }]);
  const second = message(['c2', 'run_skill_script', RUN], ['c3', 'bash', {}]);
  const last = { role: 'assistant', content: 'Done.' };
  const { url, requests } = await startScriptedApi(
    [first, second, last].map((said) => ({ choices: [{ message: said }] })),
  );
  const options = { apiKey: 'key', model: 'a-model', baseUrl: url };
  expect(await answerByChat(await startAgent(), REQUEST, options)).toBe('Done.');
  const { path, headers, body } = requests[2] ?? {};
  expect([path, headers?.authorization]).toEqual(['/chat/completions', 'Bearer key']);
  expect(body).toEqual({
    model: 'a-model',
    tools: TOOLS.map((name) => ({
      type: 'function',
      function: {
        name,
        description: expect.any(String),
        parameters: expect.objectContaining({ type: 'object' }),
      },
    })),
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: REQUEST },
      first,
      { role: 'tool', tool_call_id: 'c1', content: LOADED },
      second,
      { role: 'tool', tool_call_id: 'c2', content: PRINTED },
      { role: 'tool', tool_call_id: 'c3', content: UNKNOWN },
    ],
  });
});

test('the example loop for Responses runs the tools that the model calls', async () => {
  const call = (call_id: string, name: string, args: object): object => ({
    type: 'function_call',
    call_id,
    name,
    arguments: JSON.stringify(args),
  });
  const outputs = [
    [{ type: 'reasoning' }, call('c1', 'load_skill', { name: 'pdf' })],
    [call('c2', 'run_skill_script', RUN), call('c3', 'bash', {})],
    [{ type: 'message', content: [{ type: 'output_text', text: 'Done.' }] }],
  ];
  const { url, requests } = await startScriptedApi(outputs.map((output) => ({ output })));
  const options = { apiKey: 'key', model: 'a-model', baseUrl: url };
  expect(await answerByResponses(await startAgent(), REQUEST, options)).toBe('Done.');
  const { path, body } = requests[2] ?? {};
  expect(path).toBe('/responses');
  expect(body).toEqual({
    model: 'a-model',
    instructions: SYSTEM,
    tools: TOOLS.map((name) => ({
      type: 'function',
      name,
      description: expect.any(String),
      parameters: expect.objectContaining({ type: 'object' }),
      strict: false,
    })),
    input: [
      { role: 'user', content: REQUEST },
      { type: 'reasoning' },
      call('c1', 'load_skill', { name: 'pdf' }),
      { type: 'function_call_output', call_id: 'c1', output: LOADED },
      call('c2', 'run_skill_script', RUN),
      call('c3', 'bash', {}),
      { type: 'function_call_output', call_id: 'c2', output: PRINTED },
      { type: 'function_call_output', call_id: 'c3', output: UNKNOWN },
    ],
  });
});

test.each([answerByChat, answerByResponses])(
  'the example loop fails if the API refuses or the model never stops (case %#)',
  async (loop) => {
    const agent = await startAgent();
    const { url } = await startScriptedApi([]);
    await expect(loop(agent, REQUEST, { apiKey: 'k', model: 'm', baseUrl: url })).rejects.toThrow('answered 500');
    await expect(loop(agent, REQUEST, { apiKey: 'k', model: 'm', baseUrl: url, maxSteps: 0 })).rejects.toThrow(
      '0 steps',
    );
  },
);
