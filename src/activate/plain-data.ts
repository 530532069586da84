/** An object by its keys, as JSON has them. */
export type PlainObject = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is left of a value as JSON: no functions, no prototypes, no cycles. Throws where it has no JSON. */
export function toPlainData(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
