import { MockLanguageModelV4 } from 'ai/test';
import { expect, onTestFinished } from 'vitest';

import { forAgent, type AgentStart } from '../../src/agent/for-agent.ts';
import { openSkills } from '../../src/engine/open-skills.ts';
import { skillText } from './tree.ts';
import { makeWorld } from './world.ts';

/*
 * The same trial for every framework: a model searches, loads what it found, reads a file of it, runs its script, and asks for a
 * skill that does not exist.
 */
export const REQUEST = 'Make a report with the totals of sales.csv';

export const STEPS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['search_skills', { query: REQUEST }],
  ['load_skill', { name: 'report' }],
  ['read_skill_resource', { name: 'report', path: 'references/columns.md' }],
  ['run_skill_script', { name: 'report', script: 'totals.sh', args: ['12'] }],
  ['load_skill', { name: 'reprot' }],
];

export const ANSWER = 'The report is done.';

/** The text that the model got for each step. */
export const RESULTS: readonly unknown[] = [
  expect.stringMatching(/^Best first:\n- report: Make a report/),
  expect.stringContaining('Run scripts/totals.sh.'),
  expect.stringContaining('The second column is the price.'),
  expect.stringMatching(/exit code 0[^]*the total is 12/),
  expect.stringMatching(/^There is no skill "reprot"\. Nearest: report\./),
];

export async function startTrial(): Promise<AgentStart> {
  const { project, home, env } = makeWorld(
    {
      'project/skills/report/SKILL.md': skillText(
        { name: 'report', description: 'Make a report with the totals of a table.' },
        'Run scripts/totals.sh.\n',
      ),
      'project/skills/report/references/columns.md': 'The second column is the price.\n',
      'project/skills/report/scripts/totals.sh': 'echo "the total is $1"\n',
    },
    { PATH: '/usr/bin:/bin' },
  );
  const skills = await openSkills({ cwd: project, home, env, dirs: [{ path: 'skills', trusted: true }] });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  const agent = await forAgent(skills, { message: REQUEST, run: true });
  if (!agent.ok) throw new Error(agent.message);
  return agent;
}

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

/** The model of the trial for the AI SDK, and for frameworks that take its models. */
export function scriptedModel(): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const say = (content: Generated['content'][number], unified: 'stop' | 'tool-calls'): Generated => {
    return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
  };
  const calls = STEPS.map(([toolName, args], at) =>
    say({ type: 'tool-call', toolCallId: `call-${at}`, toolName, input: JSON.stringify(args) }, 'tool-calls'),
  );
  return new MockLanguageModelV4({ doGenerate: [...calls, say({ type: 'text', text: ANSWER }, 'stop')] });
}

/** The prompt that this model was given last: the system prompt, and the kind and the text of each result. */
export function readPrompt(model: MockLanguageModelV4): {
  readonly system: unknown;
  readonly kinds: readonly string[];
  readonly texts: readonly unknown[];
} {
  const prompt = model.doGenerateCalls.at(-1)?.prompt ?? [];
  const parts = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  const outputs = parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
  return {
    system: prompt.find(({ role }) => role === 'system')?.content,
    kinds: outputs.map(({ type }) => type),
    texts: outputs.map((output) => ('value' in output ? output.value : undefined)),
  };
}
