import { expect, test } from 'vitest';

import { CATALOG_FORMAT_NAMES } from '../index.ts';
import { READ_INPUTS } from './inputs.ts';

test.each(CATALOG_FORMAT_NAMES)('a page can ask for the catalog as %s', (format) => {
  expect(READ_INPUTS.model.safeParse({ format })).toMatchObject({ success: true, data: { format } });
});

test('a page cannot ask for the catalog in an unknown format', () => {
  expect(READ_INPUTS.model.safeParse({ format: 'yaml' })).toMatchObject({ success: false });
});
