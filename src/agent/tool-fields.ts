import type { JsonSchema } from '../activate/toolsets/tool-parameters.ts';
import type { PlainObject } from '../model/foreign-values.ts';
import { fail, type Outcome } from '../model/outcome.ts';

/** One argument of a tool: its schema for the model, and the check of its value. */
export interface ToolField<T> {
  readonly isRequired: boolean;
  readonly schema: () => JsonSchema;
  /** Completes "must be …". */
  readonly expected: string;
  readonly isValid: (value: unknown) => value is T;
  /** Other names under which models send it; the schema shows none of them. */
  readonly aliases?: readonly string[];
  /** Accepted, but not in the schema: a model is better off with one way to say a thing. */
  readonly isHidden?: boolean;
  /** Turns a value that is almost right into a right one. */
  readonly correct?: (value: unknown) => unknown;
}

export type ToolFields = Readonly<Record<string, ToolField<unknown>>>;

/** The arguments as `readFields` returns them. */
export type ValuesOf<Given extends ToolFields> = {
  readonly [Key in keyof Given]: Given[Key] extends ToolField<infer T> ? T : never;
};

/** Without a description for an argument that no model is to send. */
export function textField(description?: string): ToolField<string> {
  const described = description === undefined ? {} : { description };
  return { isRequired: true, schema: () => ({ type: 'string', ...described }), expected: 'a string', isValid: isText };
}

/** The name of a skill. */
export function nameField(description = 'The name of the skill.'): ToolField<string> {
  return { ...textField(description), aliases: ['skill', 'skill_name', 'id'] };
}

export function textsField(description: string): ToolField<readonly string[]> {
  return {
    isRequired: true,
    schema: () => ({ type: 'array', items: { type: 'string' }, description }),
    expected: 'an array of strings',
    isValid: (value) => Array.isArray(value) && value.every(isText),
    correct: (value) => (isText(value) ? [value] : value),
  };
}

export function flagField(description: string): ToolField<boolean> {
  return {
    isRequired: true,
    schema: () => ({ type: 'boolean', description }),
    expected: 'true or false',
    isValid: (value) => typeof value === 'boolean',
  };
}

export interface CountRange {
  readonly minimum: number;
  readonly maximum?: number;
}

export function countField(description: string, range: CountRange): ToolField<number> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = range;
  return {
    isRequired: true,
    schema: () => ({ type: 'integer', ...range, description }),
    expected: `a whole number from ${minimum}${range.maximum === undefined ? '' : ` to ${maximum}`}`,
    isValid: (value): value is number =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  };
}

/** A field that may be missing, or null, which some models send instead. */
export function optional<T>(field: ToolField<T>): ToolField<T | undefined> {
  return {
    ...field,
    isRequired: false,
    isValid: (value): value is T | undefined => value === undefined || field.isValid(value),
  };
}

/** A field that the schema does not show. */
export function hidden<T>(field: ToolField<T>): ToolField<T | undefined> {
  return { ...optional(field), isHidden: true };
}

export function schemaOf(fields: ToolFields): JsonSchema {
  const entries = Object.entries(fields).filter(([, field]) => field.isHidden !== true);
  const required = entries.filter(([, field]) => field.isRequired).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, field]) => [key, field.schema()])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns the arguments that the fields name, or every problem with them, as the rest of a sentence. Other arguments are ignored. */
export function readFields<Given extends ToolFields>(
  fields: Given,
  args: PlainObject,
): Outcome<{ readonly values: ValuesOf<Given> }> {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, field, value: readValue(key, field, args) }));
  const problems = entries
    .filter(({ field, value }) => !field.isValid(value))
    .map(({ key, field, value }) =>
      value === undefined ? `"${key}" is missing` : `"${key}" must be ${field.expected}`,
    );
  if (problems.length > 0)
    return fail('TOOLSET_FAILED', `takes ${showForm(fields)}; you sent ${showSent(args)}: ${problems.join(', ')}`);
  // Each value has just been found valid by its own field.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const values = Object.fromEntries(entries.map(({ key, value }) => [key, value])) as ValuesOf<Given>;
  return { ok: true, values };
}

function readValue(
  key: string,
  { aliases = [], correct = (value) => value }: ToolField<unknown>,
  args: PlainObject,
): unknown {
  const given = [key, ...aliases].map((name) => args[name]).find((value) => value !== undefined && value !== null);
  return given === undefined ? undefined : correct(given);
}

/** `{"name": "<name>"}`: what a call must have at least. */
function showForm(fields: ToolFields): string {
  const required = Object.entries(fields).filter(([, { isRequired }]) => isRequired);
  return `{${required.map(([key]) => `"${key}": "<${key}>"`).join(', ')}}`;
}

const MAX_SHOWN = 200;

function showSent(args: PlainObject): string {
  const text = JSON.stringify(args);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
