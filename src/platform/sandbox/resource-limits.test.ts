import { describe, expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { runProcess, type ProcessResult } from '../process/run-process.ts';
import { countOthers, DEFAULT_LIMITS, withLimits, type LimitOptions } from './resource-limits.ts';

const MEBI = 1024 * 1024;

/** No limit on processes: those of the user who runs the tests would count. */
async function runLimited(command: readonly string[], options: Partial<LimitOptions> = {}): Promise<ProcessResult> {
  const limited = withLimits(command, {
    limits: { ...DEFAULT_LIMITS, processes: 100_000 },
    timeoutMs: 50_000,
    shell: '/bin/sh',
    staysFirst: false,
    others: 0,
    ...options,
  });
  const env = { PATH: '/usr/bin:/bin' };
  return runProcess(limited, { cwd: makeTree(), env, timeoutMs: 50_000, maxOutputBytes: MEBI });
}

describe('a command with resource limits', () => {
  test('runs under those limits', async () => {
    const { stdout, stderr } = await runLimited(['/bin/bash', '-c', 'ulimit -c; ulimit -f; ulimit -n; ulimit -d']);
    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(0, 4)).toEqual(['0', '65536', '1024', '1048576']);
  });

  test('gets its arguments unchanged', async () => {
    const args = ['', ' ', '$1', '"$@"', ';exit 9', 'a\nb', '-x'];
    const { stdout } = await runLimited(['/usr/bin/printf', '%s|', ...args]);
    expect(stdout).toBe(args.map((arg) => `${arg}|`).join(''));
  });

  test('cannot write a larger file than allowed', async () => {
    const limits = { ...DEFAULT_LIMITS, processes: 100_000, fileBytes: MEBI };
    const { stdout } = await runLimited(
      ['/bin/bash', '-c', 'head -c 2000000 /dev/zero > big; stat -c %s big 2>/dev/null || stat -f %z big'],
      { limits },
    );
    expect(stdout).toBe(`${MEBI}\n`);
  });

  test('can start Node', async () => {
    expect(await runLimited([process.execPath, '-e', 'console.log(1)'])).toMatchObject({ stdout: '1\n', stderr: '' });
  });

  test('passes on its exit code or signal through the shell, which adds no output', async () => {
    const run = (script: string): Promise<ProcessResult> =>
      runLimited(['/bin/bash', '-c', script], { staysFirst: true });
    expect(await run('echo err >&2; exit 5')).toMatchObject({ exitCode: 5, stderr: 'err\n' });
    expect(await run('kill -KILL $$')).toMatchObject({ exitCode: 137, stderr: '' });
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: 139, stderr: '' });
  });
});

describe("the count of a user's other processes", () => {
  const user = process.getuid?.();

  test('includes those that the kernel counts against the limit', ({ skip }) => {
    skip(process.platform !== 'linux', 'this needs Linux');
    expect(countOthers(user, false)).toBeGreaterThan(0);
  });

  test('is zero for an unknown user', () => {
    expect(countOthers(undefined, false)).toBe(0);
    expect(countOthers(64_999, false)).toBe(0);
  });
});
