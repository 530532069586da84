/**
 * What a terminal would act on or a reader would not see: control characters, direction controls, tags, zero-width
 * characters, and the two line separators.
 */
const UNSAFE =
  /[\0-\x1f\x7f-\x9f\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/gu;

/** Text that is safe to print whatever it holds: dangerous characters become visible as `\u{…}`. */
export function encodeText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON that parses to the same value and holds nothing a terminal would act on. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(UNSAFE, (character) =>
    character === '\n' ? '\n' : escapeUnits(character),
  );
}

/** JSON as Python's `json.dumps(…, indent=2)` writes it, for output that is compared with such a tool's. */
export function encodeAsciiJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/[\x7f-\uffff]/g, escapeUnits);
}

function escapeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
