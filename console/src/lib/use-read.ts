import { useEffect, useState } from 'preact/hooks';

import type { Reads } from '../../../src/http/wire/contract.ts';
import type { WireFailure } from '../../../src/http/wire/skills.ts';
import { addressOf, ask, fromWire, LOST } from './api.ts';
import { revision } from './live.ts';

/** An answer as far as it is here. `value` is the last one while a newer one is on its way. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly failure: WireFailure | undefined;
  readonly isCurrent: boolean;
}

/** The last answers, so that going back to a page shows it at once. */
const known = new Map<string, unknown>();
const MOST_KNOWN = 60;

/** Asks a question, and again whenever something changed. */
export function useRead<K extends keyof Reads>(
  path: K,
  input: Reads[K]['input'] | undefined,
): Reading<Reads[K]['output']> {
  type Value = Reads[K]['output'];
  const key = input === undefined ? '' : addressOf(path, input);
  const [state, setState] = useState<Reading<Value> & { readonly key: string }>({
    key: '',
    value: undefined,
    failure: undefined,
    isCurrent: false,
  });
  const version = revision.value;
  useEffect(() => {
    if (input === undefined) return undefined;
    const stop = new AbortController();
    const load = async (): Promise<void> => {
      const answer = await ask(path, input, stop.signal);
      if (stop.signal.aborted) return;
      if (answer.ok) remember(key, answer.value);
      if (answer.ok) setState({ key, value: answer.value, failure: undefined, isCurrent: true });
      // A lost connection leaves what is shown as it is; the frame says so.
      else if (answer.failure.code !== LOST.code)
        setState({ key, value: undefined, failure: answer.failure, isCurrent: true });
    };
    load().catch((error: unknown) => {
      // The page asked for something else meanwhile.
      if (!stop.signal.aborted) throw error;
    });
    return () => stop.abort();
  }, [key, version]);
  if (state.key === key) return state;
  // An earlier answer to this very question, else the answer to the last one on the same subject, so that nothing jumps.
  const before =
    fromWire<Value | undefined>(known.get(key)) ?? (isSameSubject(state.key, key) ? state.value : undefined);
  return { value: before, failure: undefined, isCurrent: false };
}

function isSameSubject(a: string, b: string): boolean {
  return a.split('?')[0] === b.split('?')[0];
}

function remember(key: string, value: unknown): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}
