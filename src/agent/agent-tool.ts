import { readArguments } from '../activate/toolsets/tool-arguments.ts';
import type { Tool, ToolContext, ToolResult } from '../activate/toolsets/tool.ts';
import { harmlessBlock, harmlessLine } from '../disclose/harmless.ts';
import { explainThrown } from '../model/foreign-values.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { failForModel } from './model-text.ts';
import { readFields, schemaOf, type ToolFields, type ValuesOf } from './tool-fields.ts';
import type { OutputSchema } from './tool-output.ts';

/** How a call affects the world. Clients may use it to decide whether to ask the user; the names are MCP's. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const WRITING: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** A tool for agents. `tool-formats.ts` converts it for an SDK or API; `callTool` runs it for a hand-written loop. */
export interface AgentTool extends Tool {
  /** For people. */
  readonly title: string;
  readonly annotations: ToolAnnotations;
  /** Schema of `metadata`. If it has a property `output`, the structured answer includes the text. */
  readonly outputSchema: OutputSchema;
}

export interface AgentToolDefinition<Given extends ToolFields> {
  readonly name: string;
  readonly title: string;
  /** For the model: when to use the tool, then what it returns. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Given;
  readonly output: OutputSchema;
  readonly execute: (
    values: ValuesOf<Given>,
    context: Partial<Pick<ToolContext, 'signal' | 'onOutput'>>,
  ) => Outcome<ToolResult> | Promise<Outcome<ToolResult>>;
}

/**
 * Defines a tool whose arguments are checked, which never rejects, and whose answers hide no characters from a reader.
 * The message of a failure also says what to do next.
 */
export function defineAgentTool<Given extends ToolFields>(definition: AgentToolDefinition<Given>): AgentTool {
  const { name, title, description, annotations, input, output, execute } = definition;
  return {
    name,
    title,
    description,
    annotations,
    outputSchema: output,
    schema: () => schemaOf(input),
    async execute(given, context = {}) {
      const read = readArguments(given);
      const checked = read.ok ? readFields(input, read.args) : fail(read.code, `failed: ${read.message}`);
      if (!checked.ok) return fail(checked.code, `${name} ${checked.message}`);
      try {
        return toAnswer(await execute(checked.values, context));
      } catch (error) {
        return fail('TOOLSET_FAILED', `${name} failed: ${explainThrown(error)}`);
      }
    },
  };
}

function toAnswer(outcome: Outcome<ToolResult>): Outcome<ToolResult> {
  if (!outcome.ok) {
    const { code, message } = failForModel(outcome);
    return fail(code, message);
  }
  const { title, metadata, output } = outcome;
  return { ok: true, title: harmlessLine(title), metadata, output: harmlessBlock(output) };
}
