import type { CatalogFormat } from './catalog-format.ts';
import { jsonFormat } from './json.ts';
import { indexFormat, markdownFormat } from './markdown.ts';
import { xmlFormat } from './xml.ts';

export const CATALOG_FORMAT_NAMES = ['xml', 'markdown', 'index', 'json'] as const;

export type CatalogFormatName = (typeof CATALOG_FORMAT_NAMES)[number];

export const CATALOG_FORMATS: Readonly<Record<CatalogFormatName, CatalogFormat>> = {
  xml: xmlFormat,
  markdown: markdownFormat,
  index: indexFormat,
  json: jsonFormat,
};
