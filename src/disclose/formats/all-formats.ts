import type { CatalogFormatName } from '../../model/catalog-format.ts';
import type { CatalogFormat } from './catalog-format.ts';
import { jsonFormat } from './json.ts';
import { indexFormat, markdownFormat } from './markdown.ts';
import { xmlFormat } from './xml.ts';

export const CATALOG_FORMATS: Readonly<Record<CatalogFormatName, CatalogFormat>> = {
  xml: xmlFormat,
  markdown: markdownFormat,
  index: indexFormat,
  json: jsonFormat,
};
