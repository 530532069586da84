import type { PlainObject } from '../activate/toolsets/foreign-values.ts';
import type { JsonSchema } from '../activate/toolsets/tool-parameters.ts';
import { fail, type Outcome } from '../model/outcome.ts';

/** One argument of a tool: its schema for the model, and the check of its value. */
export interface ToolField<T> {
  readonly isRequired: boolean;
  readonly schema: () => JsonSchema;
  /** Completes "must be …". */
  readonly expected: string;
  readonly isValid: (value: unknown) => value is T;
}

export type ToolFields = Readonly<Record<string, ToolField<unknown>>>;

/** The arguments as `readFields` returns them. */
export type ValuesOf<Given extends ToolFields> = {
  readonly [Key in keyof Given]: Given[Key] extends ToolField<infer T> ? T : never;
};

/**
 * `names` lists the values that the schema offers to the model; undefined if there are too many. Only names
 * of one word are offered: any other could be a sentence to the model. Others are accepted, too.
 */
export function textField(description: string, names?: () => readonly string[] | undefined): ToolField<string> {
  return {
    isRequired: true,
    schema() {
      const listed = names?.()?.filter((name) => ONE_WORD.test(name));
      return { type: 'string', ...(listed === undefined || listed.length === 0 ? {} : { enum: listed }), description };
    },
    expected: 'a string',
    isValid: isText,
  };
}

export function textsField(description: string): ToolField<readonly string[]> {
  return {
    isRequired: true,
    schema: () => ({ type: 'array', items: { type: 'string' }, description }),
    expected: 'an array of strings',
    isValid: (value) => Array.isArray(value) && value.every(isText),
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

export function schemaOf(fields: ToolFields): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.isRequired).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, field]) => [key, field.schema()])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns the arguments that the fields name, or every problem with them. Other arguments are ignored. */
export function readFields<Given extends ToolFields>(
  fields: Given,
  args: PlainObject,
): Outcome<{ readonly values: ValuesOf<Given> }> {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, field, value: args[key] ?? undefined }));
  const problems = entries
    .filter(({ field, value }) => !field.isValid(value))
    .map(
      ({ key, field, value }) => `"${key}"${value === undefined ? ' is missing; it' : ''} must be ${field.expected}`,
    );
  if (problems.length > 0) return fail('TOOLSET_FAILED', `the arguments are wrong: ${problems.join('; ')}`);
  // Each value has just been found valid by its own field.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const values = Object.fromEntries(entries.map(({ key, value }) => [key, value])) as ValuesOf<Given>;
  return { ok: true, values };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A valid name, and the usual mistakes: capital letters, underscores, dots. */
const ONE_WORD = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
