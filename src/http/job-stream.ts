import type { Outcome } from '../model/outcome.ts';
import type { Working } from './console-context.ts';
import type { Refusal } from './refusal.ts';
import type { JobLine } from './wire/contract.ts';

export interface JobOptions {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Runs long work and answers with a line of JSON for each step, and one for the result. Hanging up cancels the work. */
export function streamJob(
  work: (working: Working) => Promise<Outcome | Refusal>,
  { signal, onError }: JobOptions,
): Response {
  const cancelling = new AbortController();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (line: JobLine): void => {
        if (!cancelling.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      try {
        const outcome = await work({
          signal: AbortSignal.any([signal, cancelling.signal]),
          report: (progress) => write({ progress }),
        });
        write(outcome.ok ? { result: outcome } : { failure: { ...outcome, hint: outcome.hint ?? null } });
      } catch (error) {
        onError(error);
        write({ failure: { code: 'BUG', message: 'Something went wrong in the console', hint: null } });
      }
      if (!cancelling.signal.aborted) controller.close();
    },
    cancel: () => cancelling.abort(),
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' } });
}
