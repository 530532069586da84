import { explainThrown } from '../model/foreign-values.ts';
import { fail, type Outcome, type OutcomeCode } from '../model/outcome.ts';

export interface Deadline {
  /** Named in the failure as the one that did not end. */
  readonly who: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The code of the failure; `TOOLSET_FAILED` by default. */
  readonly code?: OutcomeCode | undefined;
}

/** The longest delay of a timer; for a longer one Node.js would not wait at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits for work until its timeout or the caller's abort. The work gets an abort signal; if it ignores the signal, its
 * result is dropped.
 */
export async function withDeadline<T>(
  { who, timeoutMs, signal, code = 'TOOLSET_FAILED' }: Deadline,
  work: (signal: AbortSignal) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const isOver = `${who} timed out after ${timeoutMs / 1000} s`;
  const clock = new AbortController();
  const either = signal === undefined ? clock.signal : AbortSignal.any([signal, clock.signal]);
  const stopped = Promise.withResolvers<Outcome<T>>();
  const stop = (): void => {
    const why = clock.signal.aborted ? isOver : `${who} was stopped: ${explainThrown(either.reason)}`;
    stopped.resolve(fail(code, why));
  };
  if (either.aborted) stop();
  either.addEventListener('abort', stop, { once: true });
  const timeout = (): void => clock.abort(new DOMException(isOver, 'TimeoutError'));
  const timer = setTimeout(timeout, Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    return await Promise.race(either.aborted ? [stopped.promise] : [stopped.promise, work(either)]);
  } finally {
    clearTimeout(timer);
    either.removeEventListener('abort', stop);
  }
}
