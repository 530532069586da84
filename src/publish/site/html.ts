import { once } from '../../model/once.ts';
import { isHonest, UNSEEN } from '../../model/unseen.ts';

/** Text that may stand in a page. Only `html` and `text` make it. */
export interface Html {
  readonly html: string;
}

/**
 * Builds a piece of a page. Values are text of skills and therefore hostile: they are escaped, and characters that nobody sees
 * are spelled out. Pieces stay as they are; a list is joined.
 */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return { html: parts.map((part, at) => `${part}${at < values.length ? render(values[at] ?? '') : ''}`).join('') };
}

/** Pieces as lines. Templates cannot say this: their white space belongs to the formatter. */
export function joinLines(pieces: readonly Html[]): Html {
  return { html: pieces.map((piece) => piece.html).join('\n') };
}

function render(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return 'html' in value ? value.html : value.map((each) => each.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const unseen = once(() => new RegExp(`[[${UNSEEN}]--[\\t\\n]]`, 'gv'));

function escapeText(text: string): string {
  const visible = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(unseen(), (character, at: number, whole: string) =>
      isHonest(whole, at) ? character : spell(character),
    );
  return visible.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function spell(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
