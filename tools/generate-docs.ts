/** Writes everything that is made from code: the reference and the pictures of the terminal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { renderLibrary } from './library.ts';
import { renderReference } from './reference.ts';
import { drawTerminals } from './terminal-picture.ts';

const made = {
  ...renderReference(),
  ...renderLibrary(),
  ...drawTerminals(),
};
for (const [path, text] of Object.entries(made)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
