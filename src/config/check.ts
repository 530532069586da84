/*
 * Checks of values that come out of our own files. A schema library would take longer to load than most commands to answer.
 */

/** A problem with a value; `path` leads to it from the value that was checked. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

/** The value as the program uses it, or every problem with it. */
export type ValueCheck<T> = (value: unknown) => Checked<T>;

export function right<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function wrong(message: string): Checked<never> {
  return { ok: false, faults: [{ path: [], message }] };
}

export const checkText: ValueCheck<string> = (value) =>
  typeof value === 'string' ? right(value) : wrong('must be text');

export const checkTruth: ValueCheck<boolean> = (value) =>
  typeof value === 'boolean' ? right(value) : wrong('must be true or false');

/** Names and paths are text; a name like `404` needs no quotes. */
export const checkName: ValueCheck<string> = (value) =>
  typeof value === 'boolean' || Number.isFinite(value) ? right(String(value)) : checkText(value);

export function oneOf<T>(allowed: readonly T[], message: string): ValueCheck<T> {
  return (value) => {
    const found = allowed.find((one) => one === value);
    return found === undefined ? wrong(message) : right(found);
  };
}

/** Narrows a check: its values must also pass this test. */
export function that<T>(check: ValueCheck<T>, isFine: (value: T) => boolean, message: string): ValueCheck<T> {
  return (value) => {
    const checked = check(value);
    return checked.ok && !isFine(checked.value) ? wrong(message) : checked;
  };
}

/** An empty value (`disabled:` with nothing after it) counts as missing. */
export function orMissing<T>(check: ValueCheck<T>): ValueCheck<T | undefined> {
  return (value) => (value === undefined || value === null ? right(undefined) : check(value));
}

/** Checks only a value that is there. */
export function missingAs<T, Missing>(missing: Missing, check: ValueCheck<T>): ValueCheck<T | Missing> {
  return (value) => (value === undefined ? right(missing) : check(value));
}

export function checkList<T>(check: ValueCheck<T>, message = 'must be a list'): ValueCheck<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return wrong(message);
    const entries: readonly unknown[] = value;
    const checked = entries.map((entry, at) => [at, check(entry)] as const);
    const faults = faultsOf(checked);
    return faults ?? right(checked.flatMap(([, one]) => (one.ok ? [one.value] : [])));
  };
}

/** A mapping with any keys, all values of one kind. `faultOf` says why a key is wrong. */
export function recordOf<T>(
  check: ValueCheck<T>,
  message: string,
  faultOf: (key: string) => string | undefined = () => undefined,
): ValueCheck<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isMapping(value)) return wrong(message);
    const checked = Object.entries(value).map(([key, entry]) => {
      const fault = faultOf(key);
      return [key, fault === undefined ? check(entry) : wrong(fault)] as const;
    });
    const faults = faultsOf(checked);
    return faults ?? right(Object.fromEntries(checked.flatMap(([key, one]) => (one.ok ? [[key, one.value]] : []))));
  };
}

/** A check of every field that a mapping may have. */
export type FieldChecks<T> = { readonly [Key in keyof T]-?: ValueCheck<T[Key]> };

/** A mapping with these fields; others are left out of the result. */
export function mappingOf<T extends object>(fields: FieldChecks<T>, message: string): ValueCheck<T> {
  return (value) => {
    if (!isMapping(value)) return wrong(message);
    const checks: readonly (readonly [string, ValueCheck<unknown>])[] = Object.entries(fields);
    const checked = checks.map(([key, check]) => [key, check(value[key])] as const);
    const faults = faultsOf(checked);
    if (faults !== undefined) return faults;
    const given = checked.flatMap(([key, one]) => (one.ok && one.value !== undefined ? [[key, one.value]] : []));
    // `Fields` has a check for each key of T.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return right(Object.fromEntries(given) as T);
  };
}

/** The same, and any other field is wrong. */
export function exactMappingOf<T extends object>(fields: FieldChecks<T>, message: string): ValueCheck<T> {
  const check = mappingOf(fields, message);
  return (value) => {
    const checked = check(value);
    if (!isMapping(value) || Object.keys(value).every((key) => Object.hasOwn(fields, key))) return checked;
    const other = { path: [], message };
    return { ok: false, faults: checked.ok ? [other] : [...checked.faults, other] };
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
