import { explainThrown, isPlainObject, toPlainData, type PlainObject } from '../../model/foreign-values.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import {
  checkArguments,
  jsonSchemaOf,
  type ArgumentsOf,
  type JsonSchema,
  type ToolParameters,
} from './tool-parameters.ts';

/** The result of a call: a line for people, data for programs, text for the model. */
export interface ToolResult {
  readonly title: string;
  readonly metadata: PlainObject;
  readonly output: string;
}

/** Facts about a call, for the tool. */
export interface ToolContext {
  /** Aborted when nobody waits for the answer anymore. */
  readonly signal: AbortSignal;
  /** The tool's skill. */
  readonly skill?: { readonly name: string; readonly dir: string } | undefined;
  /** Receives the output of a script while it runs. Only tools that run scripts call it. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** A tool as its author writes it. */
export interface ToolDefinition<Parameters extends ToolParameters = ToolParameters> {
  readonly description: string;
  /** The schema of the arguments, which must be an object. Without it, the tool takes none. */
  readonly parameters?: Parameters;
  readonly execute: (args: ArgumentsOf<Parameters>, context: ToolContext) => ToolAnswer | Promise<ToolAnswer>;
}

/** The return value of an author's function: a result, possibly without title or metadata, or the output alone. */
export type ToolAnswer =
  | string
  | { readonly title?: string | undefined; readonly metadata?: PlainObject | undefined; readonly output: unknown };

/** A tool as the rest of Skillplane uses it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: () => JsonSchema;
  /** Checks the arguments and runs the tool. Never rejects: an error becomes a failure, `TOOLSET_FAILED`. */
  readonly execute: (args: unknown, context?: Partial<ToolContext>) => Promise<Outcome<ToolResult>>;
}

/** Makes tools: `Tool.define('greet', { description, parameters: z.object({ … }), execute })`. */
export const Tool: {
  /** Throws a TypeError if the definition is wrong. */
  readonly define: <Parameters extends ToolParameters>(name: string, definition: ToolDefinition<Parameters>) => Tool;
} = { define };

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

function define<Parameters extends ToolParameters>(name: string, definition: ToolDefinition<Parameters>): Tool {
  refuseWrongDefinition(name, definition);
  const { description, parameters = NO_PARAMETERS } = definition;
  return {
    name,
    description,
    schema: () => jsonSchemaOf(parameters),
    async execute(args, context = {}) {
      try {
        const checked = await checkArguments(parameters, args);
        if (!checked.ok) return { ...checked, message: `${name}: ${checked.message}` };
        const signal = context.signal ?? new AbortController().signal;
        // The schema has just checked them.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const answer = await definition.execute(checked.args as ArgumentsOf<Parameters>, { ...context, signal });
        return toResult(name, answer);
      } catch (error) {
        return fail('TOOLSET_FAILED', `${name} failed: ${explainThrown(error)}`);
      }
    },
  };
}

/** Toolsets may be written in JavaScript, where no compiler checks. */
function refuseWrongDefinition(name: unknown, definition: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('a tool needs a name');
  if (!isPlainObject(definition)) throw new TypeError(`the tool "${name}" has no definition`);
  const { description, parameters, execute } = definition;
  if (typeof description !== 'string') throw new TypeError(`the description of the tool "${name}" is not text`);
  if (parameters !== undefined && !isPlainObject(parameters))
    throw new TypeError(`the parameters of the tool "${name}" are not a schema`);
  if (typeof execute !== 'function') throw new TypeError(`the tool "${name}" has no function "execute"`);
}

const WRONG_RESULT = 'it must return { title, metadata, output } or text';

function toResult(name: string, answer: unknown): Outcome<ToolResult> {
  if (typeof answer === 'string') return { ok: true, title: name, metadata: {}, output: answer };
  if (!isPlainObject(answer)) return fail('TOOLSET_FAILED', `${name}: ${WRONG_RESULT}`);
  const { title = name, metadata = {}, output } = answer;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const data = isPlainObject(metadata) ? toPlainData(metadata) : undefined;
  if (typeof title !== 'string' || !isPlainObject(data) || text === undefined)
    return fail('TOOLSET_FAILED', `${name}: ${WRONG_RESULT}`);
  return { ok: true, title, metadata: data, output: text };
}
