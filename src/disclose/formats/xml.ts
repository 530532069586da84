import { spellOut, visibleText } from '../harmless.ts';
import { addParagraph, countMore, type CatalogFormat } from './catalog-format.ts';

/** The `<available_skills>` block, one element per line. */
export const xmlFormat: CatalogFormat = {
  isBrief: false,
  entries: { open: '<available_skills>', between: '', close: '' },
  entry: ({ name, text, location }) =>
    [
      '\n<skill>',
      `<name>${escapeXml(visibleText(name))}</name>`,
      `<description>${escapeXml(text)}</description>`,
      `<location>${escapeXml(visibleText(location))}</location>`,
      '</skill>',
    ].join('\n'),
  names: { open: '\n<other_skills>', between: ', ', close: '</other_skills>' },
  name: (name) => escapeXml(spellOut(visibleText(name), /,/g)),
  more: (count) => `\n<more>${countMore(count)}</more>`,
  end: '\n</available_skills>',
  addNote: addParagraph,
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for an element or a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
