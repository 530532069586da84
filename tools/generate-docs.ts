/** Writes the parts of docs/ that are made from code: the reference, and the picture of the terminal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { renderReference } from './reference.ts';
import { drawTerminal } from './terminal-picture.ts';

for (const [path, text] of Object.entries({ ...renderReference(), 'docs/terminal.svg': drawTerminal() })) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
