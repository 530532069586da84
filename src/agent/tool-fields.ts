import type { PlainObject } from '../activate/toolsets/foreign-values.ts';
import type { JsonSchema } from '../activate/toolsets/tool-parameters.ts';
import { fail, type Outcome } from '../model/outcome.ts';

/** One argument of a tool: what the model is told of it, and how it is read. */
export interface Field<T> {
  readonly isRequired: boolean;
  readonly schema: () => JsonSchema;
  /** What a value must be, to complete "it must be …". */
  readonly expected: string;
  readonly isValid: (value: unknown) => value is T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The arguments as `readFields` gives them. */
export type ValuesOf<Given extends Fields> = {
  readonly [Key in keyof Given]: Given[Key] extends Field<infer T> ? T : never;
};

/** `names` are the only good values, as far as the model is concerned; undefined where they are too many to list. */
export function textField(description: string, names?: () => readonly string[] | undefined): Field<string> {
  return {
    isRequired: true,
    schema() {
      const listed = names?.();
      return { type: 'string', ...(listed === undefined ? {} : { enum: listed }), description };
    },
    expected: 'a text',
    isValid: isText,
  };
}

export function textsField(description: string): Field<readonly string[]> {
  return {
    isRequired: true,
    schema: () => ({ type: 'array', items: { type: 'string' }, description }),
    expected: 'a list of texts',
    isValid: (value) => Array.isArray(value) && value.every(isText),
  };
}

export function flagField(description: string): Field<boolean> {
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

export function countField(description: string, range: CountRange): Field<number> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = range;
  return {
    isRequired: true,
    schema: () => ({ type: 'integer', ...range, description }),
    expected: `a whole number from ${minimum}${range.maximum === undefined ? '' : ` to ${maximum}`}`,
    isValid: (value): value is number =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  };
}

/** A field that may be left out, or be null, which some models write instead. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    ...field,
    isRequired: false,
    isValid: (value): value is T | undefined => value === undefined || field.isValid(value),
  };
}

export function schemaOf(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.isRequired).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, field]) => [key, field.schema()])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The arguments that the fields name, or all that is wrong with them; others are of no account. */
export function readFields<Given extends Fields>(
  fields: Given,
  args: PlainObject,
): Outcome<{ readonly values: ValuesOf<Given> }> {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, field, value: args[key] ?? undefined }));
  const problems = entries
    .filter(({ field, value }) => !field.isValid(value))
    .map(
      ({ key, field, value }) => `"${key}"${value === undefined ? ' is missing: it' : ''} must be ${field.expected}`,
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
