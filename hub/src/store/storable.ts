/** Can a database hold every text of a value? Not one with a NUL, or with half of a pair of UTF-16. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true;
  return Object.entries(value).every((entry) => entry.every(isStorable));
}

/** A value as JSON that a database can hold: what `isStorable` refuses is replaced, for texts that only tell about a skill. */
export function toStoredJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\uFFFD') : part,
  );
}
