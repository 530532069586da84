import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { attempt, explainCode, systemCode } from './errors.ts';

test('an expected system error becomes a failure value', () => {
  expect(attempt(() => 'done')).toEqual({ ok: true, value: 'done' });
  expect(attempt(() => readFileSync('/no/such/file'))).toEqual({
    ok: false,
    code: 'STORE_FAILED',
    message: 'not found',
    errno: 'ENOENT',
  });
});

test('an unexpected error is rethrown', () => {
  const bug = (): never => {
    throw new TypeError('a bug');
  };
  expect(() => attempt(bug)).toThrow('a bug');
});

test('only an error with a textual code has a system code', () => {
  expect(systemCode(Object.assign(new Error('no'), { code: 'EACCES' }))).toBe('EACCES');
  for (const other of [
    new Error('no'),
    Object.assign(new Error('no'), { code: 5 }),
    'EACCES',
    { code: 'EACCES' },
    null,
  ]) {
    expect(systemCode(other)).toBeUndefined();
  }
});

test('a system error code is explained in words, and an unknown one is shown as it is', () => {
  expect(explainCode('EACCES')).toBe('permission denied');
  expect(explainCode('EWHATEVER')).toBe('EWHATEVER');
});
