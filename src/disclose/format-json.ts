import { countMore, type CatalogFormat } from './catalog-format.ts';
import { visibleText } from './harmless.ts';

/** One document; a line for each skill. */
export const jsonFormat: CatalogFormat = {
  isBrief: false,
  entries: { open: '{"skills":[', between: ',', close: '\n]' },
  entry: ({ name, text, location }) =>
    `\n${toJson({ name: visibleText(name), description: text, location: visibleText(location) })}`,
  names: { open: ',\n"others":[', between: ',', close: ']' },
  name: (name) => toJson(visibleText(name)),
  more: (count) => `,\n"more":${toJson(countMore(count))}`,
  end: '}',
};

/** Without a `<`, so that no text can end the element that somebody puts the document into. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
