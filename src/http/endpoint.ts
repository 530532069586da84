import { z } from 'zod';

import type { Outcome } from '../model/outcome.ts';
import type { ChangeAnswer, ConsoleContext, JobAnswer, ReadAnswer, Working } from './console-context.ts';
import { CHANGE_INPUTS, JOB_INPUTS, READ_INPUTS } from './inputs.ts';
import { refusal, type Refusal } from './refusal.ts';
import type { Changes, Jobs, Reads } from './wire/contract.ts';

/** One path of the API. `read` asks, `change` changes something, `job` changes something, takes long, and can be cancelled. */
export interface Endpoint {
  readonly kind: 'read' | 'change' | 'job';
  /** Behind `/api/`. */
  readonly path: string;
  readonly input: z.ZodType;
  /** Does a console that only reads refuse it? */
  readonly changes: boolean;
  /** Checks the input and answers. Failures of the engine are answers like others; a refusal is the server's own. */
  run(context: ConsoleContext, given: unknown, working: Working): Promise<Outcome | Refusal>;
}

export function read<K extends keyof Reads>(path: K, answer: ReadAnswer<K>): Endpoint {
  const input: z.ZodType<Reads[K]['input']> = READ_INPUTS[path];
  return endpoint({ kind: 'read', path, input, changes: false }, answer);
}

export function change<K extends keyof Changes>(path: K, answer: ChangeAnswer<K>): Endpoint {
  const input: z.ZodType<Changes[K]['input']> = CHANGE_INPUTS[path];
  return endpoint({ kind: 'change', path, input, changes: true }, answer);
}

/** `changes: false` for a job that only looks, so that a console that only reads may do it. */
export function job<K extends keyof Jobs>(
  path: K,
  answer: JobAnswer<K>,
  { changes = true }: { readonly changes?: boolean } = {},
): Endpoint {
  const input: z.ZodType<Jobs[K]['input']> = JOB_INPUTS[path];
  return endpoint({ kind: 'job', path, input, changes }, answer);
}

interface EndpointFacts<I> extends Pick<Endpoint, 'kind' | 'path' | 'changes'> {
  readonly input: z.ZodType<I>;
}

function endpoint<I>(
  facts: EndpointFacts<I>,
  answer: (context: ConsoleContext, input: I, working: Working) => Promise<Outcome>,
): Endpoint {
  return {
    ...facts,
    async run(context, given, working) {
      if (context.isReadOnly && facts.changes) return refuseChange();
      const parsed = facts.input.safeParse(given);
      return parsed.success ? answer(context, parsed.data, working) : refuseInput(facts.path, parsed.error);
    },
  };
}

function refuseChange(): Refusal {
  const hint = 'Start it without `readOnly` to make changes.';
  return refusal(403, 'This console only shows and changes nothing.', { code: 'NOT_ALLOWED', hint });
}

function refuseInput(path: string, error: z.ZodError): Refusal {
  return refusal(422, `/api/${path}: ${z.prettifyError(error).replaceAll(/\s+/g, ' ')}`);
}
