import type { CallToolResult, McpServer, ServerContext, Tool } from '@modelcontextprotocol/server';

import type { AgentTool } from '../agent/agent-tool.ts';
import { agentToolNames, agentTools } from '../agent/agent-tools.ts';
import { toMcpTool } from '../agent/tool-formats.ts';
import { visibleSkills } from '../agent/visible-skills.ts';
import { CTX_TOOL } from '../ctx/ctx-tool.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import { SUGGEST_TOOL } from '../model/suggest-tool.ts';
import { serverCtxTool } from './ctx-tool.ts';
import { invalidParams, shielded } from './protocol-failure.ts';
import type { McpOptions, ServerReports, ToolPermissions } from './server-options.ts';
import { suggestTool } from './suggest-tool.ts';
import type { ServedTool, ToolsetTools } from './toolset-tools.ts';

export interface ToolHandlers {
  attach(server: McpServer): void;
  /** Call this when skills changed on disk. */
  reload(changed: readonly Skill[]): void;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

/** Shared by all connections, so that the search index is read only once. */
export function openToolHandlers(
  skills: Skills,
  permissions: ToolPermissions & Pick<McpOptions, 'hints'>,
  reports: ServerReports,
): ToolHandlers {
  const { home, agentHome, cwd } = skills.environment;
  const folders = [home, agentHome, cwd];
  const running = new Set<Promise<unknown>>();
  const ours = openOurTools(skills, permissions);
  const suggesting = permissions.hints === undefined ? [] : [suggestTool(permissions.hints)];
  let toolsets: ToolsetTools | undefined;
  const listToolsets = async (): Promise<readonly ServedTool[]> => {
    const { openToolsetTools } = await import('./toolset-tools.ts');
    toolsets ??= openToolsetTools(skills, {
      reserved: [...agentToolNames(skills), CTX_TOOL, SUGGEST_TOOL],
      onTrouble: reports.onTrouble,
    });
    return toolsets.list();
  };
  const listTools = async (): Promise<readonly ServedTool[]> => [
    ...ours(),
    ...suggesting,
    ...(permissions.allowToolsets === true ? await listToolsets() : []),
  ];
  const call = async (name: string, args: unknown, context: ServerContext): Promise<CallToolResult> => {
    const tool = (await listTools()).find((candidate) => candidate.name === name);
    if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, SHOWN_LENGTH)}`);
    const [{ reportProgress }, { toToolAnswer }] = await loadAnswering();
    using progress = reportProgress(context);
    const outcome = await tool.execute(args, { signal: stopSignal(context), onOutput: progress.onOutput });
    // A hook takes the text as it is, and nothing beside it.
    if (name === SUGGEST_TOOL) return { content: [{ type: 'text', text: outcome.ok ? outcome.output : '' }] };
    return toToolAnswer(outcome, { outputSchema: tool.outputSchema, folders });
  };
  return {
    attach({ server }) {
      server.setRequestHandler(
        'tools/list',
        shielded(async () => ({ tools: (await listTools()).map(describeTool) }), reports.onError),
      );
      server.setRequestHandler(
        'tools/call',
        shielded(async ({ params }, context) => {
          const answer = call(params.name, params.arguments ?? {}, context);
          running.add(answer);
          return answer.finally(() => running.delete(answer));
        }, reports.onError),
      );
    },
    reload: (changed) => toolsets?.reload(changed),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

const SHOWN_LENGTH = 100;

/** Lazy: clients wait for the list of tools, and only calls need these. */
function loadAnswering(): Promise<[typeof import('./progress.ts'), typeof import('./tool-answer.ts')]> {
  return Promise.all([import('./progress.ts'), import('./tool-answer.ts')]);
}

/** Reuses the tools until the first skill appears or the last one goes: opening a search for each call would be slow. */
function openOurTools(skills: Skills, permissions: ToolPermissions): () => readonly AgentTool[] {
  const { allowScripts: run, allowWrite: write } = permissions;
  const ctx = serverCtxTool(skills, permissions);
  const known = new Map<boolean, readonly AgentTool[]>();
  const looked = new WeakMap<object, boolean>();
  return () => {
    const catalog = skills.catalog();
    const isEmpty = looked.get(catalog) ?? visibleSkills(skills).length === 0;
    looked.set(catalog, isEmpty);
    const tools = known.get(isEmpty) ?? [...agentTools(skills, { list: true, run, write }), ctx];
    known.set(isEmpty, tools);
    return tools;
  };
}

/** Also aborts when the HTTP client hangs up: it cannot get the answer on another connection. */
function stopSignal({ mcpReq: { signal }, http }: ServerContext): AbortSignal {
  return http?.req === undefined ? signal : AbortSignal.any([signal, http.req.signal]);
}

function describeTool(tool: ServedTool): Tool {
  const { outputSchema, ...described } = toMcpTool(tool);
  return outputSchema === undefined ? described : { ...described, outputSchema: { ...outputSchema } };
}
