import { expect, test } from 'vitest';

import { estimateTokens, readBudget } from './tokens.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
])('%j is about %i tokens', (text, tokens) => {
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
])('the budget of %j is %d', (options, tokens) => {
  expect(readBudget(options)).toBe(tokens);
});
