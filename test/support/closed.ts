import { chmodSync, statSync } from 'node:fs';

import { onTestFinished } from 'vitest';

/** Takes permissions away, and restores them after the test so that its tree can be removed. */
export function closePath(path: string, mode = 0o000): void {
  const before = statSync(path).mode;
  onTestFinished(() => chmodSync(path, before));
  chmodSync(path, mode);
}
