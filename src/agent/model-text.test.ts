import { expect, test } from 'vitest';

import { fail } from '../model/outcome.ts';
import { dataForModel, failForModel, failureText } from './model-text.ts';

test('a hint that a model can follow stays as it is', () => {
  const failure = fail('INVALID_NAME', 'the name is too long', 'Choose a `name` of at most 64 characters.');
  expect(failForModel(failure)).toEqual(failure);
  expect(failureText(failure)).toBe('the name is too long. Choose a `name` of at most 64 characters.');
});

test.each([
  ['NOT_TRUSTED', 'Look at what it brings, then `trust pdf`.', 'then `skillplane trust pdf`.'],
  ['SKILL_NOT_FOUND', 'See `doctor`.', 'See `skillplane doctor`.'],
  ['STORE_FAILED', 'See `disabledSources` in the configuration.', 'See `disabledSources` in the configuration.'],
  ['SANDBOX_UNAVAILABLE', 'Install bubblewrap.', 'Install bubblewrap.'],
] as const)('an operation of the user is left to the user: %s, %s', (code, hint, rendered) => {
  const { hint: shown = '' } = failForModel(fail(code, 'no', hint));
  expect(shown).toMatch(/^Only the user may do this; tell them, and do not do it yourself: /);
  expect(shown.endsWith(rendered)).toBe(true);
});

test('a hint is rephrased once, however often it passes', () => {
  const once = failForModel(fail('NOT_TRUSTED', 'no', '`trust pdf`'));
  expect(failForModel(once)).toEqual(once);
});

test('a skill that is not trusted is left to the user even without a hint', () => {
  expect(failForModel(fail('NOT_TRUSTED', 'no')).hint).toMatch(/^Only the user/);
});

test('a failure without a hint is its message, and a sentence gets no second full stop', () => {
  expect(failureText(fail('STORE_FAILED', 'the disk is full'))).toBe('the disk is full');
  expect(failureText(fail('STORE_FAILED', 'The disk is full.', 'Free some space.'))).toBe(
    'The disk is full. Free some space.',
  );
});

test('what a failure carries besides stays, and nothing hidden is in it', () => {
  const failure = { ...fail('SKILL_NOT_FOUND', 'no skill\u200B\nx', 'a\u200Bb'), nearest: ['pdf'] };
  expect(failForModel(failure)).toEqual({
    ok: false,
    code: 'SKILL_NOT_FOUND',
    message: 'no skill\uFFFD x',
    hint: 'a\uFFFDb',
    nearest: ['pdf'],
  });
});

test('every string in data is made visible', () => {
  expect(dataForModel({ a: ['x\u200By', 1, null], b: { c: 'd' } })).toEqual({
    a: ['x\uFFFDy', 1, null],
    b: { c: 'd' },
  });
});
