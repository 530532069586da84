/** Counts the tokens of a text for a certain model. It need not be additive. */
export type TokenCounter = (text: string) => number;

export const CHARACTERS_PER_TOKEN = 4;

/** The estimate used without a tokenizer. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export interface BudgetOptions {
  /** In tokens. */
  readonly budget?: number | undefined;
  /** In tokens; without a budget, the catalog gets 2 % of it. */
  readonly contextWindow?: number | undefined;
}

const WINDOW_SHARE = 1 / 50;
const DEFAULT_BUDGET = 4_000;

/** The budget in whole tokens: as given, else 2 % of the context window, else 4,000. */
export function readBudget({ budget, contextWindow }: BudgetOptions): number {
  const wanted = budget ?? (contextWindow === undefined ? DEFAULT_BUDGET : contextWindow * WINDOW_SHARE);
  return wanted > 0 ? Math.floor(wanted) : 0;
}

/** Texts with more characters per token are not tried. */
const MOST_CHARACTERS_PER_TOKEN = 16;
const ROUNDS = 16;
const GOOD_ENOUGH = 0.98;

/**
 * Finds a text that fills a budget, for any tokenizer. `fit` makes a text of at most the given number of characters;
 * `fit(0)` must be empty. Each text is counted as a whole, and only a counted one is returned.
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
