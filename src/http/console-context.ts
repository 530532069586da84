import type { EnvironmentOptions, Skills } from '../index.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Changes, Jobs, Progress, Reads } from './wire/contract.ts';

/** Everything that answers may use. */
export interface ConsoleContext {
  readonly skills: Skills;
  /** For operations that open the catalog themselves. */
  readonly place: EnvironmentOptions;
  readonly isReadOnly: boolean;
  readonly changeToken: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Scans again and tells every open page. Call this after a change. */
  readonly announce: () => Promise<void>;
}

/** Answers a question. Failures are the engine's own. */
export type ReadAnswer<K extends keyof Reads> = (
  context: ConsoleContext,
  input: Reads[K]['input'],
) => Promise<Outcome<Reads[K]['output']>>;

/** Makes a change and says what was changed. */
export type ChangeAnswer<K extends keyof Changes> = (
  context: ConsoleContext,
  input: Changes[K]['input'],
) => Promise<Outcome<Changes[K]['output']>>;

/** For work that takes long. */
export interface Working {
  /** Aborted when the page cancels, or goes away. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

export type JobAnswer<K extends keyof Jobs> = (
  context: ConsoleContext,
  input: Jobs[K]['input'],
  working: Working,
) => Promise<Outcome<Jobs[K]['output']>>;
