import { isPlainObject, toPlainData, type PlainObject } from '../../model/foreign-values.ts';
import { listSome } from '../../model/list-some.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { loadZod } from '../../parse/lazy-packages.cjs';

/** JSON Schema, draft 2020-12. */
export type JsonSchema = PlainObject;

/** The interface that schema libraries share (standardschema.dev): zod 4, zod since 3.24, valibot, arktype. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Verdict<Output> | Promise<Verdict<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type Verdict<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of zod (any copy of it) or a similar library, or plain JSON Schema. */
export type ToolParameters = StandardSchema | JsonSchema;

/** The arguments that `execute` gets. */
export type ArgumentsOf<Parameters> =
  Parameters extends StandardSchema<infer Output> ? Output : Readonly<Record<string, unknown>>;

/** Checks arguments. Returns them as the schema does (with defaults, transformed), or every problem with its path. */
export async function checkArguments(
  parameters: ToolParameters,
  args: unknown,
): Promise<Outcome<{ readonly args: unknown }>> {
  const verdict = await validate(parameters, args);
  if (verdict.issues === undefined) return { ok: true, args: verdict.value };
  return fail('TOOLSET_FAILED', `the arguments are wrong: ${listIssues(verdict.issues)}`);
}

/**
 * The JSON Schema of parameters. A part that JSON Schema cannot express accepts anything; a schema that cannot be
 * converted, such as one of zod 3, accepts any object.
 */
export function jsonSchemaOf(parameters: ToolParameters): JsonSchema {
  const schema = withoutThrow(() => toPlainData(describe(parameters)));
  if (!isPlainObject(schema)) return { type: 'object' };
  return 'type' in schema ? schema : { ...schema, type: 'object' };
}

const DRAFT = 'draft-2020-12';

function describe(parameters: ToolParameters): unknown {
  if (!isSchemaOfLibrary(parameters)) return parameters;
  const standard = parameters['~standard'];
  const own = isPlainObject(standard) ? standard['jsonSchema'] : undefined;
  if (isPlainObject(own) && typeof own['input'] === 'function')
    return Reflect.apply(own['input'], own, [{ target: DRAFT, libraryOptions: { unrepresentable: 'any' } }]);
  if (!('_zod' in parameters)) return {};
  // Zod 4 looks at `_zod` alone, which is the same in all of its copies.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return loadZod().toJSONSchema(parameters as never, { target: DRAFT, io: 'input', unrepresentable: 'any' });
}

function isSchemaOfLibrary(parameters: ToolParameters): boolean {
  return '~standard' in parameters || '_zod' in parameters || 'safeParse' in parameters;
}

function validate(parameters: ToolParameters, args: unknown): Verdict<unknown> | Promise<Verdict<unknown>> {
  if (isStandardSchema(parameters)) return parameters['~standard'].validate(args);
  if (!isSchemaOfLibrary(parameters)) return validateByJsonSchema(parameters, args);
  return parseSafely(parameters, args);
}

function isStandardSchema(parameters: ToolParameters): parameters is StandardSchema {
  const standard = parameters['~standard'];
  return isPlainObject(standard) && typeof standard['validate'] === 'function';
}

/** Zod before 3.24 offers nothing else. */
function parseSafely(parameters: JsonSchema, args: unknown): Verdict<unknown> {
  const { safeParse } = parameters;
  const parsed: unknown = typeof safeParse === 'function' ? Reflect.apply(safeParse, parameters, [args]) : undefined;
  if (!isPlainObject(parsed)) throw new TypeError('the parameters are not a supported schema');
  if (parsed['success'] === true) return { value: parsed['data'] };
  const { error } = parsed;
  const issues = isPlainObject(error) && Array.isArray(error['issues']) ? error['issues'] : [];
  // The issues of zod 3 have `message` and `path`, as the standard has.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { issues: issues as SchemaIssue[] };
}

/** Checks plain JSON Schema as far as zod supports it. The rest (if/then, remote $ref) passes. */
function validateByJsonSchema(schema: JsonSchema, args: unknown): Verdict<unknown> | Promise<Verdict<unknown>> {
  const known = withoutThrow(() => loadZod().fromJSONSchema(schema));
  return known === undefined ? { value: args } : known['~standard'].validate(args);
}

const SHOWN_ISSUES = 20;

function listIssues(issues: readonly SchemaIssue[]): string {
  const lines = issues.map(({ message, path = [] }) => {
    const place = path.map((step) => (typeof step === 'object' ? step.key : step)).reduce(joinStep, '');
    return place === '' ? message : `${place}: ${message}`;
  });
  return listSome(lines, { most: SHOWN_ISSUES, separator: '; ' });
}

function joinStep(place: string, step: PropertyKey): string {
  if (typeof step === 'number') return `${place}[${step}]`;
  return place === '' ? String(step) : `${place}.${String(step)}`;
}

function withoutThrow<T>(convert: () => T): T | undefined {
  try {
    return convert();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
