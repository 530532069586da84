/** Can a database hold every text of a value? Not one with a NUL, or with half of a pair of UTF-16. */
export function isStorable(value: unknown): boolean {
  // A list instead of recursion: JSON can be nested deeper than calls.
  const parts = [value];
  for (const part of parts) {
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) return false;
    if (typeof part === 'object' && part !== null && !(part instanceof Uint8Array))
      for (const [key, child] of Object.entries(part)) parts.push(key, child);
  }
  return true;
}

/** A value as JSON that a database can hold: what `isStorable` refuses is replaced, for texts that only tell about a skill. */
export function toStoredJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\uFFFD') : part,
  );
}
