import { readArguments } from '../activate/toolsets/tool-arguments.ts';
import type { Tool, ToolResult } from '../activate/toolsets/tool.ts';
import type { PlainObject } from '../model/foreign-values.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { failForModel } from './model-text.ts';

/** A tool call as a model's API reports it. */
export interface AgentToolCall {
  readonly name: string;
  /** An object, or the same as JSON text. */
  readonly args: unknown;
  /** Stops a script that is running. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a tool call, ready for the model. */
export interface AgentToolAnswer {
  /** The output, or why the call failed and what to do about it. */
  readonly text: string;
  readonly isError: boolean;
  /** The structured answer; empty after a failure. */
  readonly metadata: PlainObject;
}

/** Runs the tool that a model called. Never rejects: an unknown name or wrong arguments are answers for the model. */
export async function callTool(tools: readonly Tool[], call: AgentToolCall): Promise<AgentToolAnswer> {
  const outcome = await execute(tools, call);
  if (!outcome.ok) return { text: failForModel(outcome).message, isError: true, metadata: {} };
  return { text: outcome.output, isError: false, metadata: outcome.metadata };
}

async function execute(tools: readonly Tool[], { name, args, signal }: AgentToolCall): Promise<Outcome<ToolResult>> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return fail('TOOLSET_FAILED', `no tool called "${name}"; available: ${listNames(tools)}`);
  const read = readArguments(args);
  if (!read.ok) return fail(read.code, `${name}: ${read.message}`);
  return tool.execute(read.args, signal === undefined ? {} : { signal });
}

function listNames(tools: readonly Tool[]): string {
  return tools.length === 0 ? 'none' : tools.map(({ name }) => name).join(', ');
}
