/** A value of unknown shape, as another program wrote it. */
export type Json = unknown;

/** The value at a path of keys; undefined if there is none. */
export function valueAt(value: Json, ...keys: readonly string[]): Json {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    // Any object may be asked for a key that it has.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

/** The text at a path; undefined if there is none, or it is empty. */
export function textAt(value: Json, ...keys: readonly string[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The number at a path; 0 if there is none. */
export function numberAt(value: Json, ...keys: readonly string[]): number {
  const found = valueAt(value, ...keys);
  return typeof found === 'number' && Number.isFinite(found) ? found : 0;
}

/** The list at a path; empty if there is none. */
export function itemsAt(value: Json, ...keys: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}
