import { visibleText } from '../harmless.ts';
import { countMore, type CatalogFormat } from './catalog-format.ts';

/** One JSON document with a line per skill. */
export const jsonFormat: CatalogFormat = {
  isBrief: false,
  entries: { open: '{"skills":[', between: ',', close: '\n]' },
  entry: ({ name, text, location }) =>
    `\n${toJson({ name: visibleText(name), description: text, location: visibleText(location) })}`,
  names: { open: ',\n"others":[', between: ',', close: ']' },
  name: (name) => toJson(visibleText(name)),
  more: (count) => `,\n"more":${toJson(countMore(count))}`,
  end: '}',
  addNote: (catalog, note) => `${catalog.slice(0, -1)},\n"note":${toJson(note)}}`,
};

/** Escapes `<`, so that no text can close an element around the document. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
