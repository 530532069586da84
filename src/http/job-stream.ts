import type { Context } from 'hono';
import { stream } from 'hono/streaming';

import type { Outcome } from '../model/outcome.ts';
import type { Refusal, Working } from './endpoint.ts';
import type { JobLine } from './wire.ts';

/** Runs long work and answers with a line of JSON for each step, and one for the result. Hanging up cancels the work. */
export function streamJob(
  context: Context,
  work: (working: Working) => Promise<Outcome | Refusal>,
  onError: (error: unknown) => void,
): Response {
  context.header('content-type', 'application/x-ndjson');
  context.header('cache-control', 'no-store');
  return stream(context, async (answer) => {
    const hungUp = new AbortController();
    answer.onAbort(() => hungUp.abort());
    const write = (line: JobLine): Promise<unknown> => answer.writeln(JSON.stringify(line));
    try {
      const outcome = await work({
        signal: AbortSignal.any([context.req.raw.signal, hungUp.signal]),
        report: (progress) => void write({ progress }),
      });
      await write(outcome.ok ? { result: outcome } : { failure: outcome });
    } catch (error) {
      onError(error);
      await write({ failure: { code: 'BUG', message: 'Something went wrong in the console' } });
    }
  });
}
