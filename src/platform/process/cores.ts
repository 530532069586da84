import { availableParallelism } from 'node:os';

/** How many threads can run at the same time. */
export function countCores(): number {
  return availableParallelism();
}
