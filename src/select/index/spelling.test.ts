import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { buildLexicon, guessWord, isOneSlipAway } from './spelling.ts';

const COUNTS: Readonly<Record<string, number>> = { deploy: 5, deploi: 1, kubernet: 2, form: 9, gone: 0, übersicht: 1 };
const LEXICON = buildLexicon(Object.keys(COUNTS));
const guess = (word: string): string | undefined => guessWord(LEXICON, word, (known) => COUNTS[known] ?? 0);

describe('an unknown word in a request', () => {
  test.each([
    ['kube', 'kubernet', 'one that begins so'],
    ['depoly', 'deploy', 'one with two letters the other way round'],
    ['deplyo', 'deploy', 'another'],
    ['deploys', 'deploy', 'one with a letter less'],
    ['übersich', 'übersicht', 'one of another script'],
    ['frm', undefined, 'nothing, where it is short'],
    ['xeploy', undefined, 'nothing, where it begins otherwise'],
    ['database', undefined, 'nothing, where none is close'],
    ['gon', undefined, 'nothing, where it is short'],
    ['gonee', undefined, 'nothing, where no skill has the one that is close any more'],
  ])('%s is taken as %s: %s', (word, meant, _why) => {
    expect(guess(word)).toBe(meant);
  });

  test('is taken as the more common of two close words', () => {
    expect(guess('deplo')).toBe('deploy');
  });

  test('is not corrected to words that are short, very long or contain digits', () => {
    expect(buildLexicon(['abc', 'abcd', 'ab12', 'a'.repeat(25)])).toBe('\nabcd');
  });

  test('that is a prefix is completed to a known word with that prefix', () => {
    const word = fc.stringMatching(/^[a-dü]{4,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 40 }), fc.nat(), (words, pick) => {
        const whole = words[pick % words.length] ?? '';
        const meant = guessWord(buildLexicon(words), whole.slice(0, 4), () => 1);
        expect(words.filter((known) => known.startsWith(whole.slice(0, 4)))).toContain(meant);
      }),
      { seed: 20261115 },
    );
  });
});

test('a typo is one letter wrong, missing, doubled or swapped, and no more', () => {
  for (const other of ['forms', 'fom', 'farm', 'fomr', 'orm']) expect(isOneSlipAway('form', other)).toBe(true);
  for (const other of ['form', 'formal', 'fame', 'mrof']) expect(isOneSlipAway('form', other)).toBe(false);
});
