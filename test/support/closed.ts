import { chmodSync, statSync } from 'node:fs';

import { onTestFinished } from 'vitest';

/** Takes permissions away until the test is over, so that its tree can be removed again. */
export function closePath(path: string, mode = 0o000): void {
  const before = statSync(path).mode;
  onTestFinished(() => chmodSync(path, before));
  chmodSync(path, mode);
}
