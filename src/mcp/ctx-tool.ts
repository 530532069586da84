import { defineAgentTool, type AgentTool } from '../agent/agent-tool.ts';
import { textField } from '../agent/tool-fields.ts';
import type { Gateway } from '../ctx/gateway.ts';
import type { Operator } from '../ctx/statement.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Failure } from '../model/outcome.ts';
import type { ToolPermissions } from './tool-permissions.ts';

/** What each statement asks for, and what the server must have been allowed for it. */
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

const FLAGS: Readonly<Record<keyof ToolPermissions, string>> = {
  allowWrite: '--allow-write',
  allowScripts: '--allow-scripts',
  allowToolsets: '--allow-toolsets',
};

/** The CTX language as one tool, for agents that speak it; it does no more than the other tools may. */
export function ctxTool(skills: Skills, permissions: ToolPermissions): AgentTool {
  const allowed = STATEMENTS.filter(({ needs }) => needs === undefined || permissions[needs] === true);
  let opened: Promise<Gateway> | undefined;
  const openGateway = (): Promise<Gateway> => {
    opened ??= Promise.all([import('../ctx/gateway.ts'), import('../agent/agent-writing.ts')]).then(
      ([{ createGateway }, { agentWriting }]) => createGateway({ ...skills, writing: agentWriting(skills) }),
    );
    return opened;
  };
  return defineAgentTool('ctx', {
    description: `Answers one statement of the CTX language with JSON: ${allowed.map(({ help }) => help).join('; ')}. Use it where you are asked to speak CTX; the other tools do the same.`,
    fields: { statement: textField('One statement, such as ?s "deploy" #devops ^3') },
    async execute({ statement }, signal) {
      const gateway = await openGateway();
      const { parseStatement } = await import('../ctx/parse-statement.ts');
      // As the gateway reads it, not as it is spelled: several characters may stand for one operator.
      const parsed = parseStatement(statement);
      const refused = parsed.ok ? refuseOperator(parsed.statement.operator, permissions) : undefined;
      if (refused !== undefined) return refused;
      const answer = await gateway.handle(statement, { signal });
      if (!answer.ok) return answer;
      return { ok: true, title: 'CTX', metadata: { answer }, output: JSON.stringify(answer, undefined, 2) };
    },
  });
}

function refuseOperator(operator: Operator, permissions: ToolPermissions): Failure | undefined {
  const needs = STATEMENTS.find((row) => row.operator === operator)?.needs;
  if (needs === undefined || permissions[needs] === true) return undefined;
  return fail(
    'CTX_INVALID',
    `this server does not answer ${operator}s: the person who starts it may allow it with ${FLAGS[needs]}`,
  );
}
