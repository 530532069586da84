import type { NextStep } from '../model/next-step.ts';
/** The words between server and page beside the answers, whose types the page takes from `api.ts`. */

/** Why something could not be done. */
export interface WireFailure {
  readonly code: string;
  readonly message: string;
  readonly next?: NextStep | undefined;
}

/** How far a job has come, in words; `percent` if that is known. */
export interface Progress {
  readonly step: string;
  readonly percent?: number | undefined;
}

/** One line of a job's answer. */
export type JobLine = { readonly progress: Progress } | { readonly result: object } | { readonly failure: WireFailure };

/** One event of the stream: skills were added, changed or removed, or something else that pages show. */
export interface LiveEvent {
  readonly kind: 'skills' | 'state';
  /** Names of the skills that changed; empty for `state`. */
  readonly names: readonly string[];
}

/** The header that carries `changeToken`. */
export const TOKEN_HEADER = 'x-skillplane-token';
