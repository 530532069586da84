import type { AgentTool } from '../agent/agent-tool.ts';
import { ctxTool } from '../ctx/ctx-tool.ts';
import type { CtxPermission } from '../ctx/permissions.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { ToolPermissions } from './server-options.ts';

/** The CTX tool of a server that has one. It can do no more than the other tools may. */
export function serverCtxTool(skills: Skills, { allowWrite = false, allowScripts }: ToolPermissions): AgentTool {
  const tool = ctxTool(skills, {
    write: allowWrite ? 'agent' : 'none',
    run: allowScripts,
    howToAllow: (permission) => ({ ask: 'user', to: `Allow ${DEEDS[permission]} when you start the server.` }),
  });
  return { ...tool, description: `${WHEN} ${tool.description}` };
}

const WHEN = 'Only if you were asked to use the CTX language: the other tools do the same.';

const DEEDS: Readonly<Record<CtxPermission, string>> = { write: 'writing skills', run: 'running scripts' };
