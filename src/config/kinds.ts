/*
 * Kinds of values in our own files. Without a schema library: every command would pay for loading it.
 */

/** A problem with a value; `path` leads to it from the value that was checked. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

export type SettingSchema = Readonly<Record<string, unknown>>;

export interface Kind<T> {
  /** The value as the program uses it, or every problem with it. */
  readonly check: (value: unknown) => Checked<T>;
  /** For editors: accepts the same values, but knows nothing of tests in code. */
  readonly schema: SettingSchema;
}

export function right<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function wrong(message: string): Checked<never> {
  return { ok: false, faults: [{ path: [], message }] };
}

export const textKind: Kind<string> = {
  check: (value) => (typeof value === 'string' ? right(value) : wrong('must be text')),
  schema: { type: 'string' },
};

export const truthKind: Kind<boolean> = {
  check: (value) => (typeof value === 'boolean' ? right(value) : wrong('must be true or false')),
  schema: { type: 'boolean' },
};

/** Names and paths are text; a name like `404` needs no quotes. */
export const nameKind: Kind<string> = {
  check: (value) =>
    typeof value === 'boolean' || Number.isFinite(value) ? right(String(value)) : textKind.check(value),
  schema: { type: ['string', 'number', 'boolean'] },
};

export function oneOf<T>(allowed: readonly T[], message: string): Kind<T> {
  return {
    check(value) {
      const found = allowed.find((one) => one === value);
      return found === undefined ? wrong(message) : right(found);
    },
    schema: { enum: allowed },
  };
}

/** A kind with a further check or conversion. Editors see only the first check. */
export function refine<T, Refined>({ check, schema }: Kind<T>, go: (value: T) => Checked<Refined>): Kind<Refined> {
  return {
    check(value) {
      const checked = check(value);
      return checked.ok ? go(checked.value) : checked;
    },
    schema,
  };
}

/** Narrows a kind: its values must also pass this test. */
export function that<T>(kind: Kind<T>, isFine: (value: T) => boolean, message: string): Kind<T> {
  return refine(kind, (value) => (isFine(value) ? right(value) : wrong(message)));
}

/** An empty value (`disabled:`) is treated as missing. */
export function orMissing<T>({ check, schema }: Kind<T>): Kind<T | undefined> {
  return {
    check: (value) => (value === undefined || value === null ? right(undefined) : check(value)),
    schema: orNull(schema),
  };
}

/** The same schema, which also accepts null. */
export function orNull(schema: SettingSchema): SettingSchema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  return Array.isArray(values) ? { ...schema, enum: [...values, null] } : { ...schema, type: [type, 'null'].flat() };
}

/** May be missing, but not empty. */
export function missingAs<T, Missing>(missing: Missing, { check, schema }: Kind<T>): Kind<T | Missing> {
  return {
    check: (value) => (value === undefined ? right(missing) : check(value)),
    schema: missing === undefined ? schema : { ...schema, default: missing },
  };
}

export function listKind<T>({ check, schema }: Kind<T>): Kind<readonly T[]> {
  return {
    check(value) {
      if (!Array.isArray(value)) return wrong('must be a list');
      const entries: readonly unknown[] = value;
      const checked = entries.map((entry, at) => [at, check(entry)] as const);
      return faultsOf(checked) ?? right(checked.flatMap(([, one]) => (one.ok ? [one.value] : [])));
    },
    schema: { type: 'array', items: schema },
  };
}

/** A mapping with any keys, all values of one kind. `faultOf` says why a key is wrong. */
export function recordOf<T>(
  { check, schema }: Kind<T>,
  message: string,
  faultOf: (key: string) => string | undefined = () => undefined,
): Kind<Readonly<Record<string, T>>> {
  return {
    check(value) {
      if (!isMapping(value)) return wrong(message);
      const checked = Object.entries(value).map(([key, entry]) => {
        const fault = faultOf(key);
        return [key, fault === undefined ? check(entry) : wrong(fault)] as const;
      });
      const faults = faultsOf(checked);
      return faults ?? right(Object.fromEntries(checked.flatMap(([key, one]) => (one.ok ? [[key, one.value]] : []))));
    },
    schema: { type: 'object', additionalProperties: schema },
  };
}

/** The kind of every field that a mapping may have. */
export type FieldKinds<T> = { readonly [Key in keyof T]-?: Kind<T[Key]> };

/** A mapping with these fields; others are left out of the result. */
export function mappingOf<T extends object>(fields: FieldKinds<T>, message: string): Kind<T> {
  const kinds: readonly (readonly [string, Kind<unknown>])[] = Object.entries(fields);
  const required = kinds.filter(([, { check }]) => !check(undefined).ok).map(([key]) => key);
  return {
    check(value) {
      if (!isMapping(value)) return wrong(message);
      const checked = kinds.map(([key, { check }]) => [key, check(value[key])] as const);
      const faults = faultsOf(checked);
      if (faults !== undefined) return faults;
      const given = checked.flatMap(([key, one]) => (one.ok && one.value !== undefined ? [[key, one.value]] : []));
      // `FieldKinds` has a kind for each key of T.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return right(Object.fromEntries(given) as T);
    },
    schema: {
      type: 'object',
      properties: Object.fromEntries(kinds.map(([key, { schema }]) => [key, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
  };
}

/** The same, and any other field is wrong. */
export function exactMappingOf<T extends object>(fields: FieldKinds<T>, message: string): Kind<T> {
  const { check, schema } = mappingOf(fields, message);
  return {
    check(value) {
      const checked = check(value);
      if (!isMapping(value) || Object.keys(value).every((key) => Object.hasOwn(fields, key))) return checked;
      const other = { path: [], message };
      return { ok: false, faults: checked.ok ? [other] : [...checked.faults, other] };
    },
    schema: { ...schema, additionalProperties: false },
  };
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The problems of the parts of a value, each with its path; undefined if there are none. */
function faultsOf(
  parts: readonly (readonly [string | number, Checked<unknown>])[],
): Extract<Checked<never>, { readonly ok: false }> | undefined {
  const [first, ...others] = parts.flatMap(([key, part]) =>
    part.ok ? [] : part.faults.map(({ path, message }) => ({ path: [key, ...path], message })),
  );
  return first === undefined ? undefined : { ok: false, faults: [first, ...others] };
}
