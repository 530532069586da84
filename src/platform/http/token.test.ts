import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { readToken } from './token.ts';

test('an access token is the text of its file without surrounding blanks', () => {
  const root = makeTree({ token: '  0123456789abcdef\r\n' });
  expect(readToken(join(root, 'token'))).toEqual({ ok: true, token: '0123456789abcdef' });
});

test.each([
  ['too short', '0123456789abcde'],
  ['empty', ''],
  ['two words', '0123456789 abcdefghij'],
  ['not ASCII', '0123456789abcdefé'],
])('an access token that is %s is refused and not shown', (_what, content) => {
  const refused = readToken(join(makeTree({ token: content }), 'token'));
  expect(refused).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
  expect(JSON.stringify(refused)).not.toContain('0123456789');
});

test('an access token file that cannot be read is a failure that names it', () => {
  expect(readToken(join(makeTree(), 'missing'))).toMatchObject({
    ok: false,
    message: expect.stringContaining('missing'),
  });
});
