import type { CallToolResult } from '@modelcontextprotocol/server';

import type { AgentTool } from '../agent/agent-tool.ts';
import type { Failure } from '../model/outcome.ts';
import type { ToolRow } from './tool-table.ts';
import { withoutPaths } from './without-paths.ts';

type Outcome = Awaited<ReturnType<AgentTool['execute']>>;
type Result = Exclude<Outcome, Failure>;

/** Where a failure's stable code stands beside its message. */
const CODE_KEY = 'skillplane/code';

export interface AnswerOptions {
  readonly row: ToolRow | undefined;
  /** Folders of this machine that no failure may name. */
  readonly folders: readonly string[];
}

/** The outcome of a tool as MCP answers it: text for a model, and the same as data. */
export function toToolAnswer(outcome: Outcome, { row, folders }: AnswerOptions): CallToolResult {
  if (!outcome.ok) {
    const { code, message } = outcome;
    const text = withoutPaths(message, folders);
    return { isError: true, content: [{ type: 'text', text }], _meta: { [CODE_KEY]: code } };
  }
  return { content: [{ type: 'text', text: outcome.output }], structuredContent: toStructure(outcome, row) };
}

function toStructure({ title, metadata, output }: Result, row: ToolRow | undefined): Record<string, unknown> {
  if (row === undefined) return { title, metadata, output };
  return 'output' in row.outputSchema.properties ? { ...metadata, output } : { ...metadata };
}
