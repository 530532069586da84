/** How many tokens a text is for a certain model. It need not be additive. */
export type TokenCounter = (text: string) => number;

export const CHARACTERS_PER_TOKEN = 4;

/** The estimate where no tokenizer is given. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export interface BudgetOptions {
  /** In tokens. */
  readonly budget?: number | undefined;
  /** In tokens; without a budget, one fiftieth of it is for the catalog. */
  readonly contextWindow?: number | undefined;
}

const WINDOW_SHARE = 1 / 50;
const DEFAULT_BUDGET = 4_000;

/** The budget in whole tokens: as given, else 2 % of the context window, else 4,000. */
export function readBudget({ budget, contextWindow }: BudgetOptions): number {
  const wanted = budget ?? (contextWindow === undefined ? DEFAULT_BUDGET : contextWindow * WINDOW_SHARE);
  return wanted > 0 ? Math.floor(wanted) : 0;
}
