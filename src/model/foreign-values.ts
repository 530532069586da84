/** An object by its keys, as in JSON. */
export type PlainObject = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Copies a value by way of JSON: no functions, no prototypes. Throws if the value cannot be written as JSON. */
export function toPlainData(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const MAX_THROWN_LENGTH = 1_000;

/** Describes a thrown value in one line; foreign code throws more than errors. */
export function explainThrown(thrown: unknown): string {
  return toShortLine(describeThrown(thrown));
}

/** Foreign text in one line of limited length. */
export function toShortLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_THROWN_LENGTH ? `${line.slice(0, MAX_THROWN_LENGTH)}…` : line;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `${String(thrown)} was thrown`;
  const { message, name } = thrown as { readonly message?: unknown; readonly name?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof name === 'string' && name !== '' ? name : 'an object that is not an error was thrown';
}
