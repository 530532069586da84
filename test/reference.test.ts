import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { renderLibrary } from '../tools/library.ts';
import { renderReference } from '../tools/reference.ts';
import { drawTerminals } from '../tools/terminal-picture.ts';

// After a change of the tables, of declarations or of what is printed: npm run build && node tools/generate-docs.ts

test.each(Object.entries({ ...renderReference(), ...renderLibrary() }))(
  'the generated page %s is up to date',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('the pictures of the terminal show what the command line prints, and are small', () => {
  for (const [path, drawn] of Object.entries(drawTerminals())) {
    expect(readFileSync(path, 'utf8')).toBe(drawn);
    expect(Buffer.byteLength(drawn)).toBeLessThan(12_000);
  }
});
