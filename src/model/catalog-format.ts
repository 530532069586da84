/** The formats in which a model is shown its skills; `disclose/formats/` renders each. */
export const CATALOG_FORMAT_NAMES = ['xml', 'markdown', 'index', 'json'] as const;

export type CatalogFormatName = (typeof CATALOG_FORMAT_NAMES)[number];
