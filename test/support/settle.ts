import { lstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The cache does not keep what changed a moment ago: waits until this file is older than that. */
export async function settle(file: string): Promise<void> {
  while (Date.now() - lstatSync(file).ctimeMs < 100) await sleep(10);
}
