/** Search, load, store, update, remove, run. */
export const OPERATORS = ['?', '!', '+', '~', '-', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Skills, knowledge, tools, memory, agents, inspection, models. Only skills are served here. */
export const PLANES = ['s', 'k', 't', 'm', 'a', 'i', 'l'] as const;
export type Plane = (typeof PLANES)[number];

/** One sentence of the CTX language. `+s x "…"` is the same statement as `+s x content="…"`. */
export interface Statement {
  readonly operator: Operator;
  readonly plane: Plane;
  readonly target?: string;
  /** `#tag`, each once. */
  readonly tags: readonly string[];
  /** `@domain` */
  readonly domain?: string;
  /** `^n` */
  readonly limit?: number;
  /** A payload without a key, on planes that give it none. */
  readonly text?: string;
  readonly pairs: Readonly<Record<string, string>>;
}

/** Limits for a normalised, trimmed statement. */
export const MIN_STATEMENT_BYTES = 2;
export const MAX_STATEMENT_BYTES = 65_536;

export const KEY_PATTERN: RegExp = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** A tag or domain: allowed after `#` and `@` without quotation marks. */
export const WORD: RegExp = /^[^\s"\0]+$/;

/** The form that the parser reads, and in which positions are counted. */
export function normalizeStatement(text: string): string {
  return text.normalize('NFC').trim();
}
