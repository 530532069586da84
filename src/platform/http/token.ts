import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { fail, type Outcome } from '../../model/outcome.ts';

/** Minimum length; shorter tokens can be brute-forced. */
const MIN_LENGTH = 16;

/** Makes a token that cannot be guessed. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Reads the token that clients must send: the file's text, trimmed. */
export function readToken(file: string): Outcome<{ readonly token: string }> {
  const token = readText(file)?.trim();
  if (token === undefined) return fail('CONFIG_INVALID', `the token file ${file} cannot be read`);
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < MIN_LENGTH)
    return fail('CONFIG_INVALID', `the token in ${file} must be one word of at least ${MIN_LENGTH} ASCII characters`, {
      ask: 'user',
      to: 'Create one, for example with "openssl rand -hex 32".',
    });
  return { ok: true, token };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
