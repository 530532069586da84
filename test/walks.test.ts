import { resolve } from 'node:path';

import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, onTestFinished, test } from 'vitest';

import { callTool } from '../src/agent/call-tool.ts';
import { forAgent } from '../src/agent/for-agent.ts';
import { toAnthropicTool } from '../src/agent/tool-formats.ts';
import { toolSet } from '../src/ai-sdk.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { serverEnvironment } from './support/mcp-process.ts';
import { startScriptedApi } from './support/scripted-api.ts';
import { skillText, type Tree } from './support/tree.ts';
import { makeWorld, type World } from './support/world.ts';

/**
 * One conversation, in three ways to build an agent. The model is scripted, but it takes each step only if the text that it read last
 * tells it to: whatever it needs to know must be in our texts. The transcripts are the page docs/guide/conversation.md.
 */
const REQUEST = 'Make the report for March from data.csv';
const DIR = 'home/.agent/skills';
const TREE: Tree = {
  'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
  [`${DIR}/csv-report/SKILL.md`]: skillText(
    { description: 'Turn CSV files into a report with totals. Use when the user has a CSV file and wants a report.' },
    '# CSV report\n\n1. Look up the columns in references/columns.md.\n2. Run `scripts/report.sh <file> <column>`.\n',
  ),
  [`${DIR}/csv-report/references/columns.md`]: '| column | meaning |\n| --- | --- |\n| 2 | amount in EUR |\n',
  [`${DIR}/csv-report/scripts/report.sh`]:
    'if [ ! -f "$1" ]; then echo "no such file: $1" >&2; exit 1; fi\n' +
    'total=0\nfor amount in $(cut -d, -f"$2" "$1"); do total=$((total + amount)); done\n' +
    'echo "# March" > report.md\necho "Total: $total EUR" >> report.md\necho "report.md written"\n',
  [`${DIR}/mail/SKILL.md`]: skillText({
    description: 'Write letters. Use when a letter or an e-mail must be written.',
  }),
  'project/data.csv': '2026-03-02,120\n2026-03-19,80\n',
};

interface Step {
  /** The words that lead the model to the step, in the text that it read last. */
  readonly because: string;
  readonly call?: readonly [tool: string, args: object];
  readonly say?: string;
}

/** The first name is a guess, the file is forgotten at first: both answers say what to do instead. */
const STEPS: readonly Step[] = [
  { because: 'Make the report', call: ['load_skill', { name: 'csv' }] },
  { because: 'Nearest: csv-report. Load that one if it fits', call: ['load_skill', { name: 'csv-report' }] },
  {
    because: 'read_skill_resource (name "csv-report")',
    call: ['read_skill_resource', { name: 'csv-report', path: 'references/columns.md' }],
  },
  {
    because: '| 2 | amount in EUR |',
    call: ['run_skill_script', { name: 'csv-report', script: 'report.sh', args: ['data.csv', '2'] }],
  },
  {
    because: 'data.csv is in the workspace but not in inputs: add it.',
    call: [
      'run_skill_script',
      { name: 'csv-report', script: 'report.sh', args: ['data.csv', '2'], inputs: ['data.csv'] },
    ],
  },
  { because: 'Total: 200 EUR', say: 'The report for March is in report.md: the total is 200 EUR.' },
];

function stepAt(index: number, lastRead: string): Step {
  const step = STEPS[index];
  expect(lastRead).toContain(step?.because ?? 'the end of the script');
  return step ?? { because: '' };
}

interface Line {
  readonly who: string;
  readonly text: string;
}

function showCall([tool, args]: readonly [string, object]): Line {
  return { who: `the model calls ${tool}`, text: JSON.stringify(args) };
}

/** As a person reads it: without the folders of this machine, and without how it contains scripts. */
function transcript({ root }: Pick<World, 'root'>, lines: readonly Line[]): string {
  const text = lines.map(({ who, text: said }) => `── ${who} ──\n${said.trimEnd()}\n`).join('\n');
  return text.replaceAll(`${root}/home`, '/home/ann').replace(/^The script ran contained .*\n/m, '');
}

async function openWorld(): Promise<{ readonly world: World; readonly skills: Skills }> {
  const world = makeWorld(TREE, { PATH: '/usr/bin:/bin' });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills.close());
  return { world, skills };
}

async function walkWithAiSdk(): Promise<string> {
  const { world, skills } = await openWorld();
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { call, say = '' } = stepAt(
        model.doGenerateCalls.length - 1,
        JSON.stringify(prompt.at(-1)).replaceAll('\\"', '"'),
      );
      return {
        content:
          call === undefined
            ? [{ type: 'text', text: say }]
            : [
                {
                  type: 'tool-call',
                  toolCallId: String(prompt.length),
                  toolName: call[0],
                  input: JSON.stringify(call[1]),
                },
              ],
        finishReason: { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  const { text } = await generateText({
    model,
    stopWhen: isStepCount(10),
    system: await skills.prompt({ message: REQUEST }),
    tools: toolSet(skills, { run: true }),
    prompt: REQUEST,
  });
  const read = model.doGenerateCalls.at(-1)?.prompt ?? [];
  const lines = read.flatMap((message): readonly Line[] => {
    if (message.role === 'system') return [{ who: 'system', text: message.content }];
    return message.content.flatMap((part): readonly Line[] => {
      if (part.type === 'text') return [{ who: message.role, text: part.text }];
      if (part.type === 'tool-call') return [showCall([part.toolName, part.input as object])];
      if (part.type !== 'tool-result') return [];
      const { output } = part;
      if (output.type === 'error-text') return [{ who: 'tool error', text: output.value }];
      return output.type === 'text' ? [{ who: 'tool result', text: output.value }] : [];
    });
  });
  return transcript(world, [...lines, { who: 'the model says', text }]);
}

async function walkWithAnthropic(): Promise<string> {
  const { world, skills } = await openWorld();
  const { url } = await startScriptedApi(
    STEPS.map((_, index) => ({ body }) => {
      const { messages } = body as { readonly messages: readonly MessageParam[] };
      const { call, say = '' } = stepAt(index, JSON.stringify(messages.at(-1)).replaceAll('\\"', '"'));
      const block =
        call === undefined
          ? { type: 'text', text: say }
          : { type: 'tool_use', id: `call-${index}`, name: call[0], input: call[1] };
      return { role: 'assistant', stop_reason: call === undefined ? 'end_turn' : 'tool_use', content: [block] };
    }),
  );
  const agent = await forAgent(skills, { system: 'You are a clerk.', message: REQUEST, run: true });
  if (!agent.ok) throw new Error(agent.message);
  const api = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });
  const messages: MessageParam[] = [{ role: 'user', content: REQUEST }];
  const lines: Line[] = [
    { who: 'system', text: agent.system },
    { who: 'user', text: REQUEST },
  ];
  for (;;) {
    const { content } = await api.messages.create({
      model: 'a-model',
      max_tokens: 1_000,
      system: agent.system,
      tools: agent.tools.map((tool) => {
        const { input_schema, ...outline } = toAnthropicTool(tool);
        return { ...outline, input_schema: { ...input_schema, type: 'object' as const } };
      }),
      messages,
    });
    messages.push({ role: 'assistant', content });
    const [block] = content;
    if (block?.type !== 'tool_use') {
      lines.push({ who: 'the model says', text: block?.type === 'text' ? block.text : '' });
      return transcript(world, lines);
    }
    const { text, isError } = await callTool(agent.tools, { name: block.name, args: block.input });
    messages.push({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: block.id, content: text, is_error: isError }],
    });
    lines.push(showCall([block.name, block.input as object]), { who: isError ? 'tool error' : 'tool result', text });
  }
}

/** A client that starts `skillplane mcp`. Its model reads the instructions of the server as part of its system prompt. */
async function walkWithMcp(): Promise<string> {
  const world = makeWorld(TREE);
  const client = new Client({ name: 'a-client', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('bin/skillplane.mjs'), 'mcp', '--allow-scripts'],
      cwd: world.project,
      env: serverEnvironment(world.home),
      stderr: 'pipe',
    }),
  );
  onTestFinished(() => client.close());
  const lines: Line[] = [
    { who: 'instructions of the server', text: client.getInstructions() ?? '' },
    { who: 'user', text: REQUEST },
  ];
  for (const [index] of STEPS.entries()) {
    const { call, say = '' } = stepAt(index, lines.at(-1)?.text ?? '');
    if (call === undefined) {
      lines.push({ who: 'the model says', text: say });
      break;
    }
    const { content, isError } = await client.callTool({ name: call[0], arguments: { ...call[1] } });
    const [block] = content;
    const text = block?.type === 'text' ? block.text : '';
    lines.push(showCall(call), { who: isError === true ? 'tool error' : 'tool result', text });
  }
  return transcript(world, lines);
}

test('a model is led from a request to its result, past two mistakes, by the texts in docs/guide/conversation.md', async () => {
  const [sdk, loop, mcp] = [await walkWithAiSdk(), await walkWithAnthropic(), await walkWithMcp()];
  for (const walk of [sdk, loop, mcp]) expect(walk.trimEnd().endsWith('the total is 200 EUR.')).toBe(true);
  await expect(writePage({ sdk, loop, mcp })).toMatchFileSnapshot('../docs/guide/conversation.md');
});

function writePage({ sdk, loop, mcp }: Readonly<Record<'sdk' | 'loop' | 'mcp', string>>): string {
  const show = (text: string): string => `\`\`\`\`text\n${text}\`\`\`\`\n`;
  return `# A conversation, word for word

This is everything that a model reads about skills, from a request to its result. Two things go wrong on the way: the model guesses the
name of a skill, and it forgets to give a script its file. Both times the answer says what to do instead.

\`test/walks.test.ts\` holds these conversations with a scripted model, which takes a step only if the text before it says so, and
compares this page with them. Whether a real model does the same is measured by \`bench/with-model.ts\`.

## With the AI SDK

\`generateText\` with \`system: await skills.prompt({ message })\` and \`tools: toolSet(skills, { run: true })\`:

${show(sdk)}
## With Anthropic's API

A loop over \`messages.create\` of \`@anthropic-ai/sdk\`, with the system prompt and the tools of \`forAgent(skills, { system, message, run: true })\`:

${show(loop)}
## With an MCP client

A client that starts \`skillplane mcp --allow-scripts\`. It does not tell the server the message, so the list is the same for every
conversation:

${show(mcp)}`;
}
