import { once } from '../../model/once.ts';
import { isHonest, UNSEEN } from '../../model/unseen.ts';

const hidden = once(() => new RegExp(`[${UNSEEN}]`, 'gv'));

/** Nothing in such a text is unseen. The pattern for all others takes a millisecond to make. */
const PLAIN = /^[ -~\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2192\u25cb\u2713\u2717]*$/;

/** Makes any text safe to print: characters that a terminal acts on or that stay invisible show as `\u{…}`. */
export function encodeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(hidden(), (character, at: number) =>
    isHonest(text, at) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** JSON without characters that a terminal acts on; it parses to the same value. Indented, or on one line. */
export function encodeJson(value: unknown, { isOneLine = false }: { readonly isOneLine?: boolean } = {}): string {
  // JSON escapes control characters itself; the remaining line breaks are its layout. Text beyond ASCII is found first, because
  // looking for hidden characters in everything takes three times as long.
  const json = JSON.stringify(value, undefined, isOneLine ? 0 : 2);
  return json.replaceAll(/[^\0-\x7e]+/g, (run) => run.replaceAll(hidden(), escapeUnits));
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
