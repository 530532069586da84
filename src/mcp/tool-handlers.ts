import type { CallToolResult, McpServer, ServerContext, Tool } from '@modelcontextprotocol/server';

import { toMcpTool } from '../activate/tool-formats.ts';
import { type AgentTool } from '../agent/agent-tool.ts';
import { agentTools } from '../agent/agent-tools.ts';
import { visibleSkills } from '../agent/visible-skills.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import { ctxTool } from './ctx-tool.ts';
import { invalidParams, shielded } from './protocol-failure.ts';
import type { ServerReports } from './server-reports.ts';
import type { ToolPermissions } from './tool-permissions.ts';
import { toolTable, type ToolRow } from './tool-table.ts';
import type { ToolsetTools } from './toolset-tools.ts';

export interface ToolHandlers {
  attach(server: McpServer): void;
  /** Skills changed on disk. */
  reload(changed: readonly Skill[]): void;
  /** Resolves when no call runs any more. */
  idle(): Promise<void>;
}

/** One for all connections: what searching has read for one client need not be read for the next. */
export function openToolHandlers(skills: Skills, permissions: ToolPermissions, reports: ServerReports): ToolHandlers {
  const { home, agentHome, cwd } = skills.environment;
  const folders = [home, agentHome, cwd];
  const running = new Set<Promise<unknown>>();
  const table = toolTable(permissions);
  const ours = openOurTools(skills, permissions);
  let toolsets: ToolsetTools | undefined;
  const listToolsets = async (): Promise<readonly AgentTool[]> => {
    const { openToolsetTools } = await import('./toolset-tools.ts');
    toolsets ??= openToolsetTools(skills, { reserved: Object.keys(table), onTrouble: reports.onTrouble });
    return toolsets.list();
  };
  const listTools = async (): Promise<readonly AgentTool[]> => [
    ...ours(),
    ...(permissions.allowToolsets === true ? await listToolsets() : []),
  ];
  const call = async (name: string, args: unknown, context: ServerContext): Promise<CallToolResult> => {
    const tool = (await listTools()).find((candidate) => candidate.name === name);
    if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, SHOWN_LENGTH)}`);
    const [{ reportProgress }, { toToolAnswer }] = await loadAnswering();
    using progress = reportProgress(context);
    const outcome = await tool.execute(args, { signal: stopSignal(context), onOutput: progress.onOutput });
    return toToolAnswer(outcome, { row: table[name], folders });
  };
  return {
    attach({ server }) {
      server.setRequestHandler(
        'tools/list',
        shielded(
          async () => ({ tools: (await listTools()).map((tool) => describeTool(tool, table[tool.name])) }),
          reports.onError,
        ),
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

/** What only calls need is loaded by the first one: listing the tools is what clients wait for. */
function loadAnswering(): Promise<[typeof import('./progress.ts'), typeof import('./tool-answer.ts')]> {
  return Promise.all([import('./progress.ts'), import('./tool-answer.ts')]);
}

/** The same tools as long as there are skills at all, or none: opening a search anew for each call would be slow. */
function openOurTools(skills: Skills, permissions: ToolPermissions): () => readonly AgentTool[] {
  const { allowScripts: run, allowWrite: write } = permissions;
  const ctx = ctxTool(skills, permissions);
  const known = new Map<boolean, readonly AgentTool[]>();
  const looked = new WeakMap<object, boolean>();
  return () => {
    const catalog = skills.catalog();
    const isEmpty = looked.get(catalog) ?? visibleSkills(skills).length === 0;
    looked.set(catalog, isEmpty);
    const tools = known.get(isEmpty) ?? [...agentTools(skills, { list: true, run, write, isShared: true }), ctx];
    known.set(isEmpty, tools);
    return tools;
  };
}

/** A client that hung up gets no answer on another connection: what it asked for is stopped, too. */
function stopSignal({ mcpReq: { signal }, http }: ServerContext): AbortSignal {
  return http?.req === undefined ? signal : AbortSignal.any([signal, http.req.signal]);
}

function describeTool(tool: AgentTool, row: ToolRow | undefined): Tool {
  const { name, description, inputSchema } = toMcpTool(tool);
  const described = { name, description, inputSchema: { ...inputSchema, type: 'object' as const } };
  if (row === undefined) return { ...described, annotations: FOREIGN };
  const { title, annotations, outputSchema } = row;
  return { ...described, title, annotations: { title, ...annotations }, outputSchema: structuredClone(outputSchema) };
}

/** Nobody knows what a tool of a skill does. */
const FOREIGN = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
