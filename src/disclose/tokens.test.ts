import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { estimateTokens, fitTokens, readBudget } from './tokens.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
])('the text %j is estimated at %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test.each([
  [{}, 4_000],
  [{ contextWindow: 200_000 }, 4_000],
  [{ contextWindow: 128_000 }, 2_560],
  [{ contextWindow: 199 }, 3],
  [{ budget: 150, contextWindow: 200_000 }, 150],
  [{ budget: 0 }, 0],
  [{ budget: -5 }, 0],
  [{ budget: Number.NaN }, 0],
  [{ budget: 7.9 }, 7],
  [{ budget: Infinity }, Infinity],
])('the options %j give a budget of %d tokens', (options, tokens) => {
  expect(readBudget(options)).toBe(tokens);
});

describe('fitting a text into a budget', () => {
  const SEED = 20_261_115;

  /** As much of a text as fits. */
  function cut(text: string): (capacity: number) => { readonly text: string } {
    return (capacity) => ({ text: text.slice(0, capacity) });
  }

  const WORDS = 'one two three four five six seven eight nine ten '.repeat(200);

  test.each([
    ['a token per word', (text: string) => text.split(' ').length],
    ['a token per character', (text: string) => text.length],
    ['ten tokens per character', (text: string) => 10 * text.length],
    ['a token per ten characters', (text: string) => Math.ceil(text.length / 10)],
    ['extra tokens for every text', (text: string) => 40 + text.length / 4],
  ])('fills the budget if the tokenizer counts %s', (_, countTokens) => {
    const { text } = fitTokens(cut(WORDS), 100, countTokens);
    expect(countTokens(text)).toBeLessThanOrEqual(100);
    expect(countTokens(text)).toBeGreaterThan(88);
  });

  test('returns a text that fits unchanged', () => {
    expect(fitTokens(cut('a b c'), 100, (text) => text.length).text).toBe('a b c');
  });

  test('accepts a text of exactly the budget', () => {
    expect(fitTokens(cut('a b c'), 5, (text) => text.length).text).toBe('a b c');
  });

  test('works with a tokenizer whose counts jump', () => {
    const { text } = fitTokens(cut(WORDS), 100, (given) => (given.length > 500 ? 101 : 50));
    expect(text.length).toBeGreaterThan(200);
  });

  test('returns an empty text if nothing fits', () => {
    expect(fitTokens(cut(WORDS), 100, () => 101).text).toBe('');
    expect(fitTokens(cut(WORDS), 0, (text) => text.length).text).toBe('');
  });

  test('never exceeds the budget, however odd the tokenizer is', () => {
    const odd = fc.func(fc.integer({ min: 0, max: 300 }));
    fc.assert(
      fc.property(odd, fc.integer({ min: 0, max: 200 }), (countTokens, budget) => {
        const { text } = fitTokens(cut(WORDS), budget, countTokens);
        expect(text === '' ? 0 : countTokens(text)).toBeLessThanOrEqual(budget);
      }),
      { seed: SEED },
    );
  });

  test('counts few texts, and none that is far too long', () => {
    const lengths: number[] = [];
    const long = 'word '.repeat(1_000_000);
    fitTokens(cut(long), 4_000, (text) => {
      lengths.push(text.length);
      return text.length / 5;
    });
    expect(lengths.length).toBeLessThanOrEqual(16);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64_000);
    expect(Math.min(...lengths)).toBeGreaterThan(6_000);
  });

  test('counts a text that is slightly too long only twice', () => {
    let count = 0;
    fitTokens(cut(WORDS), 4_000, (text) => {
      count += 1;
      return text.length / 2;
    });
    expect([WORDS.length, count]).toEqual([9_800, 2]);
  });
});
