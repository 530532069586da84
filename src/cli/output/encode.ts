/**
 * Characters that a terminal acts on or that stay invisible: control characters, direction controls, tags, zero-width
 * characters, line separators, lone surrogates.
 */
const UNSAFE_BEYOND_ASCII =
  /[\x7f-\x9f\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uD800-\uDFFF\u{E0000}-\u{E007F}]/gu;
/** The same for a first look, without the cost of pairing surrogates: tags share one, and JSON escapes lone ones. */
const MAY_BE_UNSAFE = /[\x7f-\x9f\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uDB40]/;
const UNSAFE = new RegExp(`[\\0-\\x1f]|${UNSAFE_BEYOND_ASCII.source}`, 'gu');

/** Makes any text safe to print: dangerous characters become visible as `\u{…}`. */
export function encodeText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON without characters that a terminal acts on; it parses to the same value. Indented, or on one line. */
export function encodeJson(value: unknown, { isOneLine = false }: { readonly isOneLine?: boolean } = {}): string {
  // JSON escapes control characters itself; the remaining line breaks are its layout.
  return escapeUnsafe(JSON.stringify(value, undefined, isOneLine ? 0 : 2));
}

/** Makes JSON safe to print. */
export function escapeUnsafe(json: string): string {
  if (!MAY_BE_UNSAFE.test(json)) return json;
  return json.replaceAll(UNSAFE_BEYOND_ASCII, escapeUnits);
}

/** JSON as Python's `json.dumps(…, indent=2)` writes it, which the specification's reference tool prints. */
export function encodeAsciiJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/[\x7f-\uffff]/g, escapeUnits);
}

function escapeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
