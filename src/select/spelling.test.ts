import { describe, expect, test } from 'vitest';

import { isOneSlipAway, openSpellingGuide } from './spelling.ts';

const VOCABULARY = new Map([
  ['deploy', 0],
  ['deploi', 1],
  ['kubernet', 2],
  ['form', 3],
]);

describe('a word that nobody knows', () => {
  const guide = openSpellingGuide(VOCABULARY, (id) => [5, 1, 2, 9][id] ?? 0);

  test.each([
    ['kube', 2, 'one that begins so'],
    ['depoly', 0, 'one with two letters the other way round'],
    ['deplyo', 0, 'another'],
    ['deploys', 0, 'one with a letter less'],
    ['frm', undefined, 'nothing, where it is short'],
    ['xeploy', undefined, 'nothing, where it begins otherwise'],
    ['database', undefined, 'nothing, where none is close'],
  ])('%s is taken as number %s: %s', (word, id, _why) => {
    expect(guide.guess(word)).toBe(id);
  });

  test('of two that are close, the commoner is meant', () => {
    expect(guide.guess('deplo')).toBe(0);
  });
});

test('a slip is one letter wrong, missing, doubled or swapped, and no more', () => {
  for (const other of ['forms', 'fom', 'farm', 'fomr', 'orm']) expect(isOneSlipAway('form', other)).toBe(true);
  for (const other of ['form', 'formal', 'fame', 'mrof']) expect(isOneSlipAway('form', other)).toBe(false);
});
