import type { Failure } from '../model/outcome.ts';
import type { JsonSchema, StandardSchema } from './toolsets/tool-parameters.ts';
import type { Tool } from './toolsets/tool.ts';

/** What all formats but the AI SDK's need of a tool. */
export type ToolOutline = Pick<Tool, 'name' | 'description' | 'schema'>;

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

/** For `tools` of Anthropic's Messages API. */
export function toAnthropicTool(tool: ToolOutline): AnthropicTool {
  return { name: tool.name, description: tool.description, input_schema: withoutDialect(tool.schema()) };
}

export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

/** For `tools` of OpenAI's Chat Completions API, and of the many that copy it. */
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

/** For `tools` of OpenAI's Responses API, which is strict unless told otherwise; then all parameters are required. */
export function toOpenAiResponsesTool(tool: ToolOutline): OpenAiResponsesTool {
  const { name, description } = tool;
  return { type: 'function', name, description, parameters: withoutDialect(tool.schema()), strict: false };
}

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** For the answer to `tools/list` of the Model Context Protocol. */
export function toMcpTool(tool: ToolOutline): McpTool {
  return { name: tool.name, description: tool.description, inputSchema: tool.schema() };
}

/** By this the AI SDK knows a schema that its own `jsonSchema()` made; version 5 knows no other JSON Schema. */
const AI_SDK_SCHEMA: unique symbol = Symbol.for('vercel.ai.schema');

export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: StandardSchema & {
    readonly '~standard': { readonly jsonSchema: { readonly input: SchemaMaker; readonly output: SchemaMaker } };
    readonly [AI_SDK_SCHEMA]: true;
    readonly jsonSchema: JsonSchema;
    readonly validate: undefined;
  };
  /** The output for the model; a failure is given to it as it is. */
  readonly execute: (
    args: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string | Failure>;
}

type SchemaMaker = () => Record<string, unknown>;

/** For `tools` of the AI SDK (5 and later), which has them by name: `{ [tool.name]: toAiSdkTool(tool) }`. */
export function toAiSdkTool(tool: Tool): AiSdkTool {
  const schema = withoutDialect(tool.schema());
  const make: SchemaMaker = () => ({ ...schema });
  // The tool checks its arguments itself.
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const standard = { version: 1, vendor: 'skillplane', validate, jsonSchema: { input: make, output: make } } as const;
  return {
    description: tool.description,
    inputSchema: { '~standard': standard, [AI_SDK_SCHEMA]: true, jsonSchema: schema, validate: undefined },
    async execute(args, { abortSignal } = {}) {
      const result = await tool.execute(args, abortSignal === undefined ? {} : { signal: abortSignal });
      return result.ok ? result.output : result;
    },
  };
}

/** Some APIs refuse a schema that names its dialect, and no model needs it. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
