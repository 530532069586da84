import { explainThrown } from '../activate/toolsets/foreign-values.ts';
import { readArguments } from '../activate/toolsets/tool-arguments.ts';
import type { Tool, ToolContext, ToolResult } from '../activate/toolsets/tool.ts';
import { harmlessBlock, harmlessLine } from '../disclose/harmless.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readFields, schemaOf, type Fields, type ValuesOf } from './tool-fields.ts';

/** A tool that an agent is given: `tool-formats.ts` turns it into what an SDK or API wants. */
export type AgentTool = Tool;

export interface AgentToolDefinition<Given extends Fields> {
  /** For the model: what it does, and when to call it. */
  readonly description: string;
  readonly fields: Given;
  readonly execute: (
    values: ValuesOf<Given>,
    signal: AbortSignal | undefined,
    onOutput: ToolContext['onOutput'],
  ) => Outcome<ToolResult> | Promise<Outcome<ToolResult>>;
}

/** A tool of ours. Its arguments are checked, it never rejects, and nothing hidden is in what it gives to a model. */
export function defineAgentTool<Given extends Fields>(name: string, definition: AgentToolDefinition<Given>): AgentTool {
  const { description, fields, execute } = definition;
  return {
    name,
    description,
    schema: () => schemaOf(fields),
    async execute(given, { signal, onOutput } = {}) {
      const read = readArguments(given);
      const checked = read.ok ? readFields(fields, read.args) : read;
      if (!checked.ok) return fail(checked.code, `${name}: ${checked.message}`);
      try {
        return withoutHidden(await execute(checked.values, signal, onOutput));
      } catch (error) {
        return fail('TOOLSET_FAILED', `${name} failed: ${explainThrown(error)}`);
      }
    },
  };
}

function withoutHidden(outcome: Outcome<ToolResult>): Outcome<ToolResult> {
  if (!outcome.ok) return fail(outcome.code, harmlessLine(outcome.message));
  const { title, metadata, output } = outcome;
  return { ok: true, title: harmlessLine(title), metadata, output: harmlessBlock(output) };
}
