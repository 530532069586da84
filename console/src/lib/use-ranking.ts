import type { Reads } from '../../../src/http/wire/contract.ts';
import type { Reading } from './use-answer.ts';
import { useRead } from './use-read.ts';

/** Asks for a ranking, and again for the whole one if new skills are still being read. */
export function useRanking<K extends 'search' | 'lab'>(
  path: K,
  input: Reads[K]['input'] | undefined,
): Reading<Reads[K]['output']> {
  const first = useRead(path, input);
  const isUnread = first.isCurrent && first.value?.partial.some(({ missing }) => missing === 'instructions') === true;
  const whole = useRead(path, input !== undefined && isUnread ? { ...input, wait: 'true' } : undefined);
  return isUnread && whole.isCurrent ? whole : first;
}
