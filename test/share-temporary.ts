import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives all tests one temporary folder, which is removed at the end. It lies in memory where there is room: much of what we test
 * waits until its bytes are on the disk. A TMPDIR that somebody has set is used instead.
 *
 * The many processes that tests start share compiled code there, which they would otherwise each compile and store anew.
 * `use-compiled.ts` names the folder to them; the test runner's own processes do without, since storing theirs delays their end.
 */
export default function setup(): (() => Promise<void>) | undefined {
  if (process.env['TESTS_COMPILED'] !== undefined) return undefined;
  const dir = makeFolder();
  Object.assign(process.env, { TMPDIR: dir, TESTS_COMPILED: join(dir, 'compiled') });
  return async () => {
    try {
      await rm(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    } catch (error) {
      console.warn(
        `The temporary files of the tests stay in ${dir}: a process was still writing there (${String(error)}).`,
      );
    }
  };
}

function makeFolder(): string {
  const inMemory = process.env['TMPDIR'] === undefined ? makeInMemory() : undefined;
  return inMemory ?? makeIn(tmpdir());
}

/** In containers this folder is often small, or nothing in it can be executed. */
function makeInMemory(): string | undefined {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 2 ** 30) return undefined;
  const dir = makeIn(memory);
  const script = join(dir, 'script');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
  if (spawnSync(script).status === 0) return dir;
  rmSync(dir, { recursive: true });
  return undefined;
}

/** Other users, whom some tests become, may enter it. */
function makeIn(parent: string): string {
  const dir = mkdtempSync(join(parent, 'skillplane-'));
  chmodSync(dir, 0o711);
  return dir;
}
