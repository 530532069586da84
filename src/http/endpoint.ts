import { z } from 'zod';

import type { Skills } from '../engine/open-skills.ts';
import type { NextStep } from '../model/next-step.ts';
import type { Outcome } from '../model/outcome.ts';
import type { EnvironmentOptions } from '../platform/environment.ts';
import type { Progress } from './wire.ts';

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

/** For work that takes long. */
export interface Working {
  /** Aborted when the page cancels, or goes away. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/**
 * One operation of the API. The page is compiled with the types of its input and its answer, so both must be plain data.
 * Failures are the engine's own.
 */
export interface Endpoint<I, A> {
  readonly input: z.ZodType<I>;
  /** Does a console that only reads refuse it? */
  readonly changes: boolean;
  readonly answer: (context: ConsoleContext, input: I, working: Working) => Promise<A>;
}

/** Answers a question. */
export function read<I, A extends Outcome>(
  input: z.ZodType<I>,
  answer: (context: ConsoleContext, input: I) => Promise<A>,
): Endpoint<I, A> {
  return { input, changes: false, answer };
}

/** Makes a change, says what was changed, and tells every open page. */
export function change<I, A extends Outcome>(
  input: z.ZodType<I>,
  answer: (context: ConsoleContext, input: I) => Promise<A>,
): Endpoint<I, A> {
  return {
    input,
    changes: true,
    async answer(context, given) {
      const outcome = await answer(context, given);
      if (outcome.ok) await context.announce();
      return outcome;
    },
  };
}

/** Long work that can be cancelled. `changes: false` if it only looks, so that a console that only reads may do it. */
export function job<I, A extends Outcome>(
  input: z.ZodType<I>,
  answer: (context: ConsoleContext, input: I, working: Working) => Promise<A>,
  { changes = true }: { readonly changes?: boolean } = {},
): Endpoint<I, A> {
  return {
    input,
    changes,
    async answer(context, given, working) {
      const outcome = await answer(context, given, working);
      if (changes && outcome.ok) await context.announce();
      return outcome;
    },
  };
}

/** The input and the answer of each operation, by the path behind `/api/`. */
export type Shapes<T> = {
  readonly [K in keyof T]: T[K] extends Endpoint<infer I, infer A>
    ? { readonly input: I; readonly output: Extract<A, { readonly ok: true }> }
    : never;
};

/** A refusal of the server itself, in the form of a failure. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly next?: NextStep | undefined;
}

export interface RefusalDetails {
  readonly code?: string;
  readonly next?: NextStep | undefined;
}

export function refusal(status: number, message: string, { code = 'REFUSED', next }: RefusalDetails = {}): Refusal {
  return { ok: false, status, code, message, ...(next === undefined ? {} : { next }) };
}

/** A refusal as an answer. */
export function answerRefusal(status: number, message: string, details?: RefusalDetails): Response {
  return Response.json(refusal(status, message, details), { status });
}

/** Checks the input and answers. A refusal is the server's own, a failure the engine's. */
export async function runEndpoint<I, A extends Outcome>(
  path: string,
  { input, changes, answer }: Endpoint<I, A>,
  given: unknown,
  context: ConsoleContext,
  working: Working,
): Promise<A | Refusal> {
  if (context.isReadOnly && changes)
    return refusal(403, 'This console is read-only.', {
      code: 'NOT_ALLOWED',
      next: { leaveOut: 'readOnly' },
    });
  const parsed = input.safeParse(given);
  if (parsed.success) return answer(context, parsed.data, working);
  return refusal(422, `/api/${path}: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ')}`);
}
