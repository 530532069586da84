import { expect, test } from 'vitest';

import { CATALOG_FORMAT_NAMES } from '../model/catalog-format.ts';
import { READS } from './api.ts';

test.each(CATALOG_FORMAT_NAMES)('a page can ask for the catalog as %s', (format) => {
  expect(READS.model.input.safeParse({ format })).toMatchObject({ success: true, data: { format } });
});

test('a page cannot ask for the catalog in an unknown format', () => {
  expect(READS.model.input.safeParse({ format: 'yaml' })).toMatchObject({ success: false });
});
