import type { Reads } from './answers.ts';
import { addressOf, ask } from './api.ts';
import { useAnswer, type Reading } from './use-answer.ts';

/** Asks the console a question, and again whenever something changed. */
export function useRead<K extends keyof Reads>(
  path: K,
  input: Reads[K]['input'] | undefined,
): Reading<Reads[K]['output']> {
  return useAnswer(input === undefined ? '' : addressOf(path, input), (signal) => ask(path, input, signal));
}
