import { defineAgentTool, READ_ONLY, WRITING, type AgentTool } from '../agent/agent-tool.ts';
import { textField } from '../agent/tool-fields.ts';
import { outputSchema } from '../agent/tool-output.ts';
import type { Gateway } from '../ctx/gateway.ts';
import type { CtxPermission } from '../ctx/permissions.ts';
import type { Operator } from '../ctx/statement.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { ToolPermissions } from './server-options.ts';

export const CTX_TOOL = 'ctx';

/** Help for each statement, and the permission it needs. */
const STATEMENTS: readonly {
  readonly operator: Operator;
  readonly help: string;
  readonly needs?: keyof ToolPermissions;
}[] = [
  { operator: '?', help: '?s "deploy" #tag @domain ^3 searches' },
  { operator: '!', help: '!s name loads' },
  { operator: '+', help: '+s name content="the instructions" description="…" stores', needs: 'allowWrite' },
  { operator: '~', help: '~s name description="…" changes', needs: 'allowWrite' },
  { operator: '-', help: '-s name removes', needs: 'allowWrite' },
  { operator: '>', help: '>s name script=fill.sh args="a b" runs a script', needs: 'allowScripts' },
];

const PERMISSIONS: Readonly<Record<CtxPermission, string>> = { write: 'writing skills', run: 'running scripts' };

/** The CTX language as one tool, for agents that speak it. It can do no more than the other tools may. */
export function ctxTool(skills: Skills, permissions: ToolPermissions): AgentTool {
  const allowed = STATEMENTS.filter(({ needs }) => needs === undefined || permissions[needs] === true);
  const { allowScripts = false, allowWrite = false } = permissions;
  let opened: Promise<Gateway> | undefined;
  const openGateway = (): Promise<Gateway> => {
    opened ??= import('../ctx/gateway.ts').then(({ createGateway }) =>
      createGateway(skills, {
        write: allowWrite ? 'agent' : 'none',
        run: allowScripts,
        refusalHint: (permission) => `Only the user can allow ${PERMISSIONS[permission]}, when they start the server.`,
      }),
    );
    return opened;
  };
  return defineAgentTool({
    name: CTX_TOOL,
    title: 'Answer a CTX statement',
    description:
      'Use this only if you were asked to use the CTX language; the other tools do the same. ' +
      `Takes one statement: ${allowed.map(({ help }) => help).join('; ')}. Returns the answer as JSON.`,
    annotations: allowScripts || allowWrite ? { ...WRITING, openWorldHint: allowScripts } : READ_ONLY,
    input: { statement: textField('One statement, such as ?s "deploy" #devops ^3') },
    output: outputSchema({ answer: { type: 'object' } }),
    async execute({ statement }, { signal }) {
      const gateway = await openGateway();
      const answer = await gateway.handle(statement, { signal });
      if (!answer.ok) return answer;
      return { ok: true, title: 'CTX', metadata: { answer }, output: JSON.stringify(answer, undefined, 2) };
    },
  });
}
