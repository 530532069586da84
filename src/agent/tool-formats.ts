import type { JsonSchema, StandardSchema } from '../activate/toolsets/tool-parameters.ts';
import type { Tool, ToolResult } from '../activate/toolsets/tool.ts';
import { isPlainObject } from '../model/foreign-values.ts';
import type { Failure, OutcomeCode } from '../model/outcome.ts';
import type { AgentTool, ToolAnnotations } from './agent-tool.ts';
import { failForModel } from './model-text.ts';
import type { OutputSchema } from './tool-output.ts';

/** The part of a tool that a model is told. */
export type ToolOutline = Pick<Tool, 'name' | 'description' | 'schema'>;

/** The schema of a tool's arguments, as SDKs declare it: their own types want to write into it. */
type ObjectSchema = Record<string, unknown> & { type: 'object' };

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectSchema;
}

/** For `tools` of the Anthropic Messages API. */
export function toAnthropicTool(tool: ToolOutline): AnthropicTool {
  return { name: tool.name, description: tool.description, input_schema: toObjectSchema(tool.schema()) };
}

export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: ObjectSchema };
}

/** For `tools` of the OpenAI Chat Completions API, and of the many APIs that copy it. */
export function toOpenAiChatTool(tool: ToolOutline): OpenAiChatTool {
  const { name, description } = tool;
  return { type: 'function', function: { name, description, parameters: toObjectSchema(tool.schema()) } };
}

export interface OpenAiResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly strict: false;
}

/** For `tools` of the OpenAI Responses API. Its default, strict mode, would make every parameter required. */
export function toOpenAiResponsesTool(tool: ToolOutline): OpenAiResponsesTool {
  const { name, description } = tool;
  return { type: 'function', name, description, parameters: toObjectSchema(tool.schema()), strict: false };
}

/** Only our own tools know these; the tools of toolsets do not. */
type ToolFacts = Partial<Pick<AgentTool, 'title' | 'annotations' | 'outputSchema'>>;

export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: Partial<ToolAnnotations> & { readonly title?: string };
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: OutputSchema & JsonSchema;
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
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema } }),
  };
}

/** Marks a schema as made by the AI SDK's own `jsonSchema()`. Version 5 accepts no other JSON Schema. */
const AI_SDK_SCHEMA: unique symbol = Symbol.for('vercel.ai.schema');

export interface AiSdkTool<Output extends ToolOutput = ToolOutput> {
  /** For people; the model does not see it. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: StandardSchema & {
    readonly '~standard': { readonly jsonSchema: { readonly input: SchemaMaker; readonly output: SchemaMaker } };
    readonly [AI_SDK_SCHEMA]: true;
    readonly jsonSchema: JsonSchema;
    readonly validate: undefined;
  };
  /** True if the user is to be asked before each call. */
  readonly needsApproval?: boolean;
  /** Returns the structured answer. A failure is thrown, as the AI SDK wants it: the model gets its message. */
  readonly execute: (args: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }) => Promise<Output>;
  /** The text of an answer, for the model. */
  readonly toModelOutput: (given: { readonly output: unknown }) => { readonly type: 'text'; readonly value: string };
}

/** The data of an answer, and the text of it for the model. */
export interface ToolOutput {
  readonly output: string;
}

type SchemaMaker = () => Record<string, unknown>;

export interface AiSdkOptions {
  /** Lets the user approve each call of a tool that may change something, by its annotations; false. */
  readonly needsApproval?: boolean | undefined;
}

/** For `tools` of the AI SDK (5 and later), an object by name: `{ [tool.name]: toAiSdkTool(tool) }`. */
export function toAiSdkTool(
  tool: Tool & Pick<ToolFacts, 'title' | 'annotations'>,
  { needsApproval = false }: AiSdkOptions = {},
): AiSdkTool {
  const schema = withoutDialect(tool.schema());
  const make: SchemaMaker = () => ({ ...schema });
  // The tool checks its own arguments.
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const standard = { version: 1, vendor: 'skillplane', validate, jsonSchema: { input: make, output: make } } as const;
  return {
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: { '~standard': standard, [AI_SDK_SCHEMA]: true, jsonSchema: schema, validate: undefined },
    ...(needsApproval && tool.annotations?.readOnlyHint !== true ? { needsApproval: true } : {}),
    async execute(args, { abortSignal } = {}) {
      const result = await tool.execute(args, abortSignal === undefined ? {} : { signal: abortSignal });
      if (!result.ok) throw new ToolFailure(failForModel(result));
      return { ...result.metadata, output: result.output };
    },
    // Version 5 gives the answer itself, later ones an object that has it.
    toModelOutput: ({ output }) => ({ type: 'text', value: textOf(output) }),
  };
}

export interface MastraTool extends AiSdkTool {
  readonly id: string;
}

/** For `tools` of a Mastra agent, an object by name: `{ [tool.name]: toMastraTool(tool) }`. */
export function toMastraTool(tool: Tool & Pick<ToolFacts, 'title' | 'annotations'>): MastraTool {
  return { ...toAiSdkTool(tool), id: tool.name };
}

/** The fields of LangChain's `DynamicStructuredTool`. */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  readonly responseFormat: 'content_and_artifact';
  /** Names the faulty argument to the model. */
  readonly verboseParsingErrors: true;
  /** Returns the text and the structured answer. A failure is thrown, as LangChain wants it: the model gets its message. */
  readonly func: (
    args: unknown,
    runManager?: unknown,
    config?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<[text: string, artifact: ToolResult['metadata']]>;
}

/** For LangChain: `new DynamicStructuredTool(toLangChainTool(tool))`. */
export function toLangChainTool(tool: Tool): LangChainTool {
  return {
    name: tool.name,
    description: tool.description,
    schema: toObjectSchema(tool.schema()),
    responseFormat: 'content_and_artifact',
    verboseParsingErrors: true,
    async func(args, _runManager, { signal } = {}) {
      const result = await tool.execute(args, signal === undefined ? {} : { signal });
      if (!result.ok) throw new ToolFailure(failForModel(result));
      return [result.output, result.metadata];
    },
  };
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return isPlainObject(output) && typeof output['output'] === 'string' ? output['output'] : JSON.stringify(output);
}

/** The AI SDK and LangChain show the model `toString()`: only the text, without the name of a class. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: OutcomeCode;

  constructor({ code, message }: Pick<Failure, 'code' | 'message'>) {
    super(message);
    this.code = code;
  }

  override toString(): string {
    return this.message;
  }
}

function toObjectSchema(schema: JsonSchema): ObjectSchema {
  return { ...withoutDialect(schema), type: 'object' };
}

/** Some APIs reject a schema with `$schema`, and no model needs it. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
