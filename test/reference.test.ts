import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { renderLibrary } from '../tools/library.ts';
import { renderReference } from '../tools/reference.ts';
import { drawTerminal } from '../tools/terminal-picture.ts';

// After a change of the tables, of declarations or of what is printed: npm run build && node tools/generate-docs.ts

test.each(Object.entries({ ...renderReference(), ...renderLibrary() }))(
  'the generated page %s is up to date',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('docs/terminal.svg shows what the command line prints, and is small', () => {
  const picture = readFileSync('docs/terminal.svg', 'utf8');
  expect(picture).toBe(drawTerminal());
  expect(Buffer.byteLength(picture)).toBeLessThan(12_000);
});
