import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

import { describe, expect, test, vi } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { closePipe, openPipeSupply, type Pipe } from './pipes.ts';
import { runProcess, type ProcessResult } from './run-process.ts';

const SKIP = process.platform !== 'linux';
const MAKE_FIFO = 'mkfifo';

async function makeFifos(paths: readonly string[]): Promise<boolean> {
  execFileSync(MAKE_FIFO, ['-m', '666', ...paths]);
  return true;
}

const openFiles = (): number => readdirSync('/proc/self/fd').length;

async function takeTwo(): Promise<Readonly<Record<'stdout' | 'stderr', Pipe>>> {
  const supply = openPipeSupply(makeFifos);
  const [stdout, stderr] = [await supply.take(), await supply.take()];
  supply.close();
  if (stdout === undefined || stderr === undefined) throw new Error('no pipes');
  return { stdout, stderr };
}

async function bash(script: string, maxOutputBytes = 1024 * 1024): Promise<ProcessResult> {
  const env = { PATH: '/usr/bin:/bin' };
  const options = { cwd: '/', env, timeoutMs: 50_000, maxOutputBytes, pipes: await takeTwo() };
  return runProcess(['/bin/bash', '-c', script], options);
}

describe.skipIf(SKIP)(`the output pipes of a script${SKIP ? ' (skipped: only Linux needs them)' : ''}`, () => {
  test('let it open its own output by path', async () => {
    const ran = await bash('echo a > /dev/stderr; echo b | tee /dev/stdout; echo c >> /proc/self/fd/1');
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'b\nb\nc\n', stderr: 'a\n' });
  });

  test('carry all its output up to the limit', async () => {
    expect((await bash('head -c 500000 /dev/zero')).stdout).toHaveLength(500_000);
    expect(await bash('yes', 70_000)).toMatchObject({ ended: 'output', stdout: 'y\n'.repeat(35_000) });
  });

  test('are closed when it has ended or could not be started', async () => {
    await bash('true');
    const before = openFiles();
    await bash('echo x');
    const bounds = { cwd: '/', env: {}, timeoutMs: 50_000, maxOutputBytes: 10 };
    await runProcess(['/nowhere'], { ...bounds, pipes: await takeTwo() });
    await runProcess(['/bin/true', 'a\0b'], { ...bounds, pipes: await takeTwo() });
    await runProcess(['/bin/true'], { ...bounds, pipes: await takeTwo(), signal: AbortSignal.abort() });
    // A stream closes its file a moment after it says so.
    await expect.poll(openFiles).toBe(before);
  });

  test('leave nothing on disk, and unused ones are closed', async () => {
    const temporary = makeTree();
    vi.stubEnv('TMPDIR', temporary);
    const before = openFiles();
    const supply = openPipeSupply(makeFifos);
    const pipe = await supply.take();
    if (pipe !== undefined) closePipe(pipe);
    supply.close();
    expect(openFiles()).toBe(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('are left out if they cannot be created', async () => {
    expect(await openPipeSupply(async () => false).take()).toBeUndefined();
  });
});
