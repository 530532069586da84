import type { CallToolResult, McpServer, ServerContext, Tool } from '@modelcontextprotocol/server';

import type { AgentTool } from '../agent/agent-tool.ts';
import { agentToolNames, agentTools } from '../agent/agent-tools.ts';
import { toMcpTool } from '../agent/tool-formats.ts';
import type { OfferedTool } from '../agent/toolset-tools.ts';
import { visibleSkills } from '../agent/visible-skills.ts';
import { CTX_TOOL } from '../ctx/ctx-tool.ts';
import type { Skills } from '../engine/open-skills.ts';
import { SUGGEST_TOOL } from '../model/suggest-tool.ts';
import { serverCtxTool } from './ctx-tool.ts';
import { invalidParams, shielded } from './protocol-failure.ts';
import type { McpOptions, ServerReports, ToolPermissions } from './server-options.ts';
import { suggestTool } from './suggest-tool.ts';

export interface ToolHandlers {
  attach(server: McpServer): void;
  /** The tools that a client is told of. */
  list(): Promise<readonly OfferedTool[]>;
  /** The answer that a client gets. Rejects if there is no such tool. */
  call(name: string, args: unknown, context?: CallContext): Promise<CallToolResult>;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

type CallContext = NonNullable<Parameters<AgentTool['execute']>[1]>;

/** Shared by all connections, so that the search index is read only once. */
export function openToolHandlers(
  skills: Skills,
  options: ToolPermissions & Pick<McpOptions, 'hints' | 'structured' | 'ctx'>,
  reports: ServerReports,
): ToolHandlers {
  const { home, agentHome, cwd } = skills.environment;
  const folders = [home, agentHome, cwd];
  const running = new Set<Promise<unknown>>();
  const { hints, structured: isStructured = false } = options;
  const ours = openOurTools(skills, options);
  const suggesting = hints === undefined ? [] : [suggestTool(hints)];
  let toolsets: (() => Promise<readonly OfferedTool[]>) | undefined;
  const listToolsets = async (): Promise<readonly OfferedTool[]> => {
    const { openToolsetTools } = await import('./toolset-tools.ts');
    toolsets ??= openToolsetTools(skills, {
      reserved: [...agentToolNames(skills), CTX_TOOL, SUGGEST_TOOL],
      onTrouble: reports.onTrouble,
    });
    return toolsets();
  };
  const listTools = async (): Promise<readonly OfferedTool[]> => [
    ...ours(),
    ...suggesting,
    ...(options.allowToolsets === true ? await listToolsets() : []),
  ];
  const call = async (name: string, args: unknown, context: CallContext = {}): Promise<CallToolResult> => {
    const tool = (await listTools()).find((candidate) => candidate.name === name);
    if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, SHOWN_LENGTH)}`);
    // Lazy: clients wait for the list of tools, and only calls need this.
    const { toToolAnswer } = await import('./tool-answer.ts');
    const outcome = await tool.execute(args, context);
    // A hook needs only the text.
    if (name === SUGGEST_TOOL) return { content: [{ type: 'text', text: outcome.ok ? outcome.output : '' }] };
    return toToolAnswer(outcome, { outputSchema: tool.outputSchema, isStructured, folders });
  };
  const answer = async (name: string, args: unknown, context: ServerContext): Promise<CallToolResult> => {
    const { reportProgress } = await import('./progress.ts');
    using progress = reportProgress(context);
    return await call(name, args, { signal: stopSignal(context), onOutput: progress.onOutput });
  };
  return {
    attach({ server }) {
      server.setRequestHandler(
        'tools/list',
        shielded(
          async () => ({ tools: (await listTools()).map((tool) => describeTool(tool, isStructured)) }),
          reports.onError,
        ),
      );
      server.setRequestHandler(
        'tools/call',
        shielded(async ({ params }, context) => {
          const answered = answer(params.name, params.arguments ?? {}, context);
          running.add(answered);
          return answered.finally(() => running.delete(answered));
        }, reports.onError),
      );
    },
    list: listTools,
    call,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

const SHOWN_LENGTH = 100;

/** Reuses the tools until the first skill appears or the last one goes: opening a search for each call would be slow. */
function openOurTools(skills: Skills, options: ToolPermissions & Pick<McpOptions, 'ctx'>): () => readonly AgentTool[] {
  const { allowScripts: run, allowWrite: write, workspace } = options;
  const also = options.ctx === true ? [serverCtxTool(skills, options)] : [];
  const known = new Map<boolean, readonly AgentTool[]>();
  const looked = new WeakMap<object, boolean>();
  return () => {
    const catalog = skills.catalog();
    const isEmpty = looked.get(catalog) ?? visibleSkills(skills).length === 0;
    looked.set(catalog, isEmpty);
    const tools = known.get(isEmpty) ?? [...agentTools(skills, { list: true, run, write, workspace }), ...also];
    known.set(isEmpty, tools);
    return tools;
  };
}

/** Also aborts when the HTTP client hangs up: it cannot get the answer on another connection. */
function stopSignal({ mcpReq: { signal }, http }: ServerContext): AbortSignal {
  return http?.req === undefined ? signal : AbortSignal.any([signal, http.req.signal]);
}

function describeTool(tool: OfferedTool, isStructured: boolean): Tool {
  const { outputSchema, ...described } = toMcpTool(tool);
  const meta = FOR_CLAUDE_CODE[tool.name];
  return {
    ...described,
    ...(outputSchema === undefined || !isStructured ? {} : { outputSchema: { ...outputSchema } }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/** A long skill must not become a file and a path. */
const LONG_ANSWERS = { 'anthropic/maxResultSizeChars': 100_000 };
/** Claude Code otherwise shows its model the names of tools alone, until it searches for one. */
const ALWAYS_THERE = { 'anthropic/alwaysLoad': true };

const FOR_CLAUDE_CODE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  load_skill: { ...ALWAYS_THERE, ...LONG_ANSWERS },
  search_skills: ALWAYS_THERE,
  read_skill_resource: LONG_ANSWERS,
};
