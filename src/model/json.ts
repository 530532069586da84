/** Deeper than any program nests its data. Code that follows a value by recursion would run out of stack far below. */
export const MAX_NESTING = 500;

/** Undefined if the text is not JSON, or is nested too deeply. A byte-order mark before it is ignored. */
export function parseJson(text: string): unknown {
  const value = parseOwnJson(text.replace(/^\uFEFF/, ''));
  return isNestedTooDeeply(value) ? undefined : value;
}

/** The same for a file that only this program writes, however large: its depth is not checked. */
export function parseOwnJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Is a value of JSON or TOML nested more than `MAX_NESTING` levels deep? */
export function isNestedTooDeeply(value: unknown, levels: number = MAX_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedTooDeeply(inner, levels - 1));
}
