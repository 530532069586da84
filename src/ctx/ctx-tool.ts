import { defineAgentTool, READ_ONLY, WRITING, type AgentTool } from '../agent/agent-tool.ts';
import { textField } from '../agent/tool-fields.ts';
import { outputSchema } from '../agent/tool-output.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Gateway } from './gateway.ts';
import { isAllowed, type GatewayOptions } from './permissions.ts';
import { OPERATORS, type Operator } from './statement.ts';

export const CTX_TOOL = 'ctx';

const HELP: Readonly<Record<Operator, string>> = {
  '?': '?s "deploy" #tag @domain ^3 searches',
  '!': '!s name loads; !s name/references/tables.md reads a file',
  '+': '+s name content="the instructions" description="…" stores',
  '~': '~s name description="…" changes',
  '-': '-s name removes',
  '>': '>s name script=fill.sh args="a b" runs a script',
};

/**
 * The CTX language as one tool, for agents that speak it. Like a gateway, it only searches and reads unless the options
 * allow more; its description names only the statements that are allowed.
 */
export function ctxTool(skills: Skills, options: GatewayOptions = {}): AgentTool {
  const allowed = OPERATORS.filter((operator) => isAllowed(operator, options));
  let opened: Promise<Gateway> | undefined;
  // Lazy: offering the tool should not load what only a call needs.
  const openGateway = (): Promise<Gateway> => {
    opened ??= import('./gateway.ts').then(({ createGateway }) => createGateway(skills, options));
    return opened;
  };
  return defineAgentTool({
    name: CTX_TOOL,
    title: 'Answer a CTX statement',
    description:
      'Use this to find and use skills by statements of the CTX language. ' +
      `Takes one statement: ${allowed.map((operator) => HELP[operator]).join('; ')}. Returns the answer as JSON.`,
    annotations: annotate(allowed),
    input: { statement: textField('One statement, such as ?s "deploy" #devops ^3') },
    output: outputSchema({ answer: { type: 'object' } }),
    async execute({ statement }, { signal }) {
      const answer = await (await openGateway()).handle(statement, { signal });
      if (!answer.ok) return answer;
      return { ok: true, title: 'CTX', metadata: { answer }, output: JSON.stringify(answer, undefined, 2) };
    },
  });
}

function annotate(allowed: readonly Operator[]): AgentTool['annotations'] {
  const isRunning = allowed.includes('>');
  return isRunning || allowed.includes('+') ? { ...WRITING, openWorldHint: isRunning } : READ_ONLY;
}
