import { expect, test } from 'vitest';

import { fail } from '../model/outcome.ts';
import { dataForModel, failForModel, failureText } from './model-text.ts';

test('a failure’s hint that a model can follow is shown unchanged', () => {
  const failure = fail('INVALID_NAME', 'the name is too long', 'Choose a `name` of at most 64 characters.');
  expect(failForModel(failure)).toEqual(failure);
  expect(failureText(failure)).toBe('the name is too long. Choose a `name` of at most 64 characters.');
});

test.each([
  ['NOT_TRUSTED', 'Look at what it brings, then `trust pdf`.', 'then `skillplane trust pdf`.'],
  ['SKILL_NOT_FOUND', 'See `doctor`.', 'See `skillplane doctor`.'],
  ['STORE_FAILED', 'See `disabledSources` in the configuration.', 'See `disabledSources` in the configuration.'],
  ['SANDBOX_UNAVAILABLE', 'Install bubblewrap.', 'Install bubblewrap.'],
] as const)('a failure’s hint that only the user may follow tells the model so: %s', (code, hint, rendered) => {
  const { hint: shown = '' } = failForModel(fail(code, 'no', hint));
  expect(shown).toMatch(/^Only the user may do this; tell them, and do not do it yourself: /);
  expect(shown.endsWith(rendered)).toBe(true);
});

test('a failure’s hint for the user is rephrased only once', () => {
  const once = failForModel(fail('NOT_TRUSTED', 'no', '`trust pdf`'));
  expect(failForModel(once)).toEqual(once);
});

test('a refusal of an untrusted skill tells the model to ask the user, even without a hint', () => {
  expect(failForModel(fail('NOT_TRUSTED', 'no')).hint).toMatch(/^Only the user/);
});

test('a failure’s text for a model is message and hint, without a doubled full stop', () => {
  expect(failureText(fail('STORE_FAILED', 'the disk is full'))).toBe('the disk is full');
  expect(failureText(fail('STORE_FAILED', 'The disk is full.', 'Free some space.'))).toBe(
    'The disk is full. Free some space.',
  );
});

test('a failure for a model keeps its other fields and shows invisible characters', () => {
  const failure = { ...fail('SKILL_NOT_FOUND', 'no skill\u200B\nx', 'a\u200Bb'), nearest: ['pdf'] };
  expect(failForModel(failure)).toEqual({
    ok: false,
    code: 'SKILL_NOT_FOUND',
    message: 'no skill\uFFFD x',
    hint: 'a\uFFFDb',
    nearest: ['pdf'],
  });
});

test('data for a model shows invisible characters in every string', () => {
  expect(dataForModel({ a: ['x\u200By', 1, null], b: { c: 'd' } })).toEqual({
    a: ['x\uFFFDy', 1, null],
    b: { c: 'd' },
  });
});
