import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lets the many processes that tests start share compiled code, which they would otherwise each compile and store anew. */
export default function setup(): (() => void) | undefined {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'skillplane-compiled-'));
  process.env['NODE_COMPILE_CACHE'] = dir;
  // The last processes may still be writing.
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
