import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder for the time of `work`. */
export async function withScratch<T>(work: (dir: string) => Promise<T> | T): Promise<T> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skillplane-bench-')));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
