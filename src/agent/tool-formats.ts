import type { JsonSchema, StandardSchema } from '../activate/toolsets/tool-parameters.ts';
import type { Tool } from '../activate/toolsets/tool.ts';
import type { Failure } from '../model/outcome.ts';
import type { AgentTool, ToolAnnotations } from './agent-tool.ts';
import { failForModel } from './model-text.ts';
import type { OutputSchema } from './tool-output.ts';

/** The part of a tool that a model is told. */
export type ToolOutline = Pick<Tool, 'name' | 'description' | 'schema'>;

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

/** For `tools` of the Anthropic Messages API. */
export function toAnthropicTool(tool: ToolOutline): AnthropicTool {
  return { name: tool.name, description: tool.description, input_schema: withoutDialect(tool.schema()) };
}

export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

/** For `tools` of the OpenAI Chat Completions API, and of the many APIs that copy it. */
export function toOpenAiChatTool(tool: ToolOutline): OpenAiChatTool {
  const { name, description } = tool;
  return { type: 'function', function: { name, description, parameters: withoutDialect(tool.schema()) } };
}

export interface OpenAiResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict: false;
}

/** For `tools` of the OpenAI Responses API. Its default, strict mode, would make every parameter required. */
export function toOpenAiResponsesTool(tool: ToolOutline): OpenAiResponsesTool {
  const { name, description } = tool;
  return { type: 'function', name, description, parameters: withoutDialect(tool.schema()), strict: false };
}

/** Only our own tools know these; the tools of toolsets do not. */
type ToolFacts = Partial<Pick<AgentTool, 'title' | 'annotations' | 'outputSchema'>>;

export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: Partial<ToolAnnotations> & { readonly title?: string };
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: OutputSchema;
}

/** For the answer to `tools/list` of the Model Context Protocol. */
export function toMcpTool(tool: ToolOutline & ToolFacts): McpTool {
  const { name, title, description, annotations, outputSchema } = tool;
  const titled = title === undefined ? {} : { title };
  return {
    name,
    ...titled,
    description,
    ...(annotations === undefined ? {} : { annotations: { ...titled, ...annotations } }),
    inputSchema: { ...tool.schema(), type: 'object' },
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

/** Marks a schema as made by the AI SDK's own `jsonSchema()`. Version 5 accepts no other JSON Schema. */
const AI_SDK_SCHEMA: unique symbol = Symbol.for('vercel.ai.schema');

export interface AiSdkTool {
  /** For people; the model does not see it. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: StandardSchema & {
    readonly '~standard': { readonly jsonSchema: { readonly input: SchemaMaker; readonly output: SchemaMaker } };
    readonly [AI_SDK_SCHEMA]: true;
    readonly jsonSchema: JsonSchema;
    readonly validate: undefined;
  };
  /** Returns the output for the model. A failure is also an answer for the model. */
  readonly execute: (
    args: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string | Failure>;
}

type SchemaMaker = () => Record<string, unknown>;

/** For `tools` of the AI SDK (5 and later), an object by name: `{ [tool.name]: toAiSdkTool(tool) }`. */
export function toAiSdkTool(tool: Tool & Pick<ToolFacts, 'title'>): AiSdkTool {
  const schema = withoutDialect(tool.schema());
  const make: SchemaMaker = () => ({ ...schema });
  // The tool checks its own arguments.
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const standard = { version: 1, vendor: 'skillplane', validate, jsonSchema: { input: make, output: make } } as const;
  return {
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: { '~standard': standard, [AI_SDK_SCHEMA]: true, jsonSchema: schema, validate: undefined },
    async execute(args, { abortSignal } = {}) {
      const result = await tool.execute(args, abortSignal === undefined ? {} : { signal: abortSignal });
      return result.ok ? result.output : failForModel(result);
    },
  };
}

/** Some APIs reject a schema with `$schema`, and no model needs it. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
