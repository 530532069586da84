/** Writes everything that is made from code: the reference, the picture of the terminal, and the schemas of the console's answers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { renderAnswerSchemas } from './answer-schemas.ts';
import { renderReference } from './reference.ts';
import { drawTerminal } from './terminal-picture.ts';

const made = {
  ...renderReference(),
  'docs/terminal.svg': drawTerminal(),
  'data/console-answers.json': renderAnswerSchemas(),
};
for (const [path, text] of Object.entries(made)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
