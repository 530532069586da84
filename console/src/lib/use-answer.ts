import { useEffect, useState } from 'preact/hooks';

import type { WireFailure } from '../../../src/http/wire.ts';
import { asking, revision } from './connection.ts';
import { fromWire, LOST_CODE, type Answer } from './wire.ts';

/** An answer as far as it is here. `value` is the last one while a newer one is on its way. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly failure: WireFailure | undefined;
  readonly isCurrent: boolean;
}

interface Held<T> extends Reading<T> {
  readonly address: string;
}

/** The last answers, so that going back to a page shows it at once. */
const known = new Map<string, unknown>();
const MOST_KNOWN = 60;

/** Asks the question with this address, and again whenever something changed; an empty address asks nothing. */
export function useAnswer<T>(address: string, ask: (signal: AbortSignal) => Promise<Answer<T>>): Reading<T> {
  const [state, setState] = useState<Held<T>>({
    address: '',
    value: undefined,
    failure: undefined,
    isCurrent: false,
  });
  const version = revision.value;
  useEffect(() => {
    if (address === '') return undefined;
    let isWanted = true;
    const shared = share(`${version} ${address}`, ask);
    const load = async (): Promise<void> => {
      const answer = await shared.answer;
      if (!isWanted) return;
      if (answer.ok) remember(address, answer.value);
      if (answer.ok) setState({ address, value: answer.value, failure: undefined, isCurrent: true });
      else if (answer.failure.code === LOST_CODE) setState((last) => keepLost(last, address, answer.failure));
      else setState({ address, value: undefined, failure: answer.failure, isCurrent: true });
    };
    load().catch((error: unknown) => {
      // The page asked for something else meanwhile.
      if (isWanted) throw error;
    });
    return () => {
      isWanted = false;
      shared.leave();
    };
  }, [address, version]);
  if (state.address === address) return state;
  // An earlier answer to this very question, else the answer to the last one on the same subject, so that nothing jumps.
  const before =
    fromWire<T | undefined>(known.get(address)) ?? (isSameSubject(state.address, address) ? state.value : undefined);
  return { value: before, failure: undefined, isCurrent: false };
}

/** A lost connection leaves everything as it is, for the frame says so; the failure shows only where there is nothing else. */
function keepLost<T>(last: Held<T>, address: string, failure: WireFailure): Held<T> {
  const before =
    fromWire<T | undefined>(known.get(address)) ?? (isSameSubject(last.address, address) ? last.value : undefined);
  return { address, value: before, failure: before === undefined ? failure : undefined, isCurrent: false };
}

interface SharedAnswer<T> {
  readonly answer: Promise<Answer<T>>;
  /** The last one to leave gives the question up. */
  readonly leave: () => void;
}

interface Question {
  readonly answer: Promise<unknown>;
  readonly stop: AbortController;
  users: number;
}

const underWay = new Map<string, Question>();

/** Several parts of a page that ask the same at the same time share one answer. */
function share<T>(key: string, ask: (signal: AbortSignal) => Promise<Answer<T>>): SharedAnswer<T> {
  const question = underWay.get(key) ?? open(key, ask);
  question.users += 1;
  return {
    answer: fromWire<Promise<Answer<T>>>(question.answer),
    leave() {
      question.users -= 1;
      if (question.users > 0) return;
      question.stop.abort();
      if (underWay.get(key) === question) underWay.delete(key);
    },
  };
}

function open(key: string, ask: (signal: AbortSignal) => Promise<unknown>): Question {
  const stop = new AbortController();
  asking.value += 1;
  const answer = ask(stop.signal).finally(() => {
    asking.value -= 1;
  });
  const question = { answer, stop, users: 0 };
  underWay.set(key, question);
  return question;
}

function isSameSubject(a: string, b: string): boolean {
  return a.split('?')[0] === b.split('?')[0];
}

function remember(address: string, value: unknown): void {
  known.delete(address);
  known.set(address, value);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}
