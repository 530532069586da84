import { lstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a file is old enough to be cached: the cache skips files that changed a moment ago. */
export async function settle(file: string): Promise<void> {
  while (Date.now() - lstatSync(file).ctimeMs < 100) await sleep(10);
}
