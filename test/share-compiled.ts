import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets the many processes that tests start share compiled code, which they would otherwise each compile and store anew.
 * `use-compiled.ts` names the folder to them; the test runner's own processes do without, since storing theirs delays their end.
 */
export default function setup(): (() => Promise<void>) | undefined {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-compiled-'));
  process.env['TESTS_COMPILED'] = dir;
  return async () => {
    try {
      await rm(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    } catch (error) {
      console.warn(
        `The compiled code of the tests stays in ${dir}: a process was still writing there (${String(error)}).`,
      );
    }
  };
}
