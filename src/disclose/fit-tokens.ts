import type { TokenCounter } from './tokens.ts';

/** No text is tried that would need more characters a token. */
const MOST_CHARACTERS_PER_TOKEN = 16;
const ROUNDS = 16;
const GOOD_ENOUGH = 0.98;

/**
 * A text that fills a budget by a tokenizer that may count as it likes: `fit` makes texts of at most a given length,
 * each is counted whole, and only one that was counted is given back. `fit(0)` must be empty.
 */
export function fitTokens<T extends { readonly text: string }>(
  fit: (capacity: number) => T,
  budget: number,
  countTokens: TokenCounter,
): T {
  let best = fit(0);
  let low = { capacity: 0, tokens: 0 };
  let high = { capacity: Infinity, tokens: Infinity };
  let capacity = MOST_CHARACTERS_PER_TOKEN * budget;
  for (let round = 0; round < ROUNDS; round += 1) {
    const tried = fit(capacity);
    const tokens = tried.text === '' ? 0 : countTokens(tried.text);
    if (tokens <= budget) {
      best = tried;
      low = { capacity, tokens };
    } else high = { capacity: Math.min(capacity, tried.text.length), tokens };
    if (high.tokens === Infinity || low.tokens >= GOOD_ENOUGH * budget) break;
    const share = (budget - low.tokens) / (high.tokens - low.tokens);
    capacity = Math.floor(low.capacity + Math.min(0.9, Math.max(0.1, share)) * (high.capacity - low.capacity));
  }
  return best;
}
