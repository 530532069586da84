import { expect, test } from 'vitest';

import type { OutputStream } from '../process/captured-output.ts';
import { openHiddenValues } from './hidden-values.ts';

function pass(pieces: readonly string[], variables: Readonly<Record<string, string>>): string {
  let heard = '';
  const values = openHiddenValues(variables, (_: OutputStream, text) => (heard += text));
  for (const piece of pieces) values.pass('stdout', piece);
  values.end();
  return heard;
}

const TOKEN = { TOKEN: 'secret-0123456789' };

test('a secret value in the output of a script is replaced by the name of its variable, unless it is short', () => {
  const { hide } = openHiddenValues({ ...TOKEN, DEBUG: 'yes', LONGER: 'secret-0123456789-more' }, () => undefined);
  expect(hide('yes secret-0123456789, secret-0123456789-more')).toBe('yes [TOKEN], [LONGER]');
});

test('a secret value is replaced however the output is cut into pieces, and nothing else is lost', () => {
  const text = `a${TOKEN.TOKEN}b secret-01 ${TOKEN.TOKEN}`;
  for (let size = 1; size <= text.length; size += 1) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    expect(pass(pieces, TOKEN)).toBe('a[TOKEN]b secret-01 [TOKEN]');
  }
  expect(pass(['ends with secret-'], TOKEN)).toBe('ends with secret-');
});
