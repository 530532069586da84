import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { nextLine, runModule, sourceUrl, startModule, type ModuleProcess } from '../../../test/support/child.ts';
import { findByCommandLine, findSurvivors, isAlive, oddSeconds } from '../../../test/support/processes.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { findInheritedDescriptors, runProcess, type ProcessOptions, type ProcessResult } from './run-process.ts';

const ENV = { PATH: '/usr/bin:/bin' };
const BOUNDS = { cwd: '/', env: ENV, timeoutMs: 20_000, maxOutputBytes: 1024 * 1024 };

function run(command: readonly string[], options: Partial<ProcessOptions> = {}): Promise<ProcessResult> {
  return runProcess(command, { ...BOUNDS, ...options });
}

function bash(script: string, options: Partial<ProcessOptions> = {}): Promise<ProcessResult> {
  return run(['/bin/bash', '-c', script], options);
}

describe('running a process', () => {
  test('gives stdout, stderr and its exit code', async () => {
    expect(await bash('echo out; echo err >&2; exit 3')).toEqual({
      ended: 'exited',
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      durationMs: expect.any(Number),
    });
  });

  test('that is ended by a signal names the signal, and does not look as if we had stopped it', async () => {
    expect(await bash('kill -KILL $$')).toMatchObject({ ended: 'exited', exitCode: null, signal: 'SIGKILL' });
    expect(await bash('kill -SEGV $$')).toMatchObject({ ended: 'exited', exitCode: null, signal: 'SIGSEGV' });
  });

  test('passes its arguments unchanged, without a shell', async () => {
    const args = ['', ' ', ';touch x', '$(id)', '`id`', 'a\nb', '--x', '*', 'é🙂', '\'"\\'];
    const code = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const { stdout } = await run([process.execPath, '-e', code, '--', ...args]);
    expect(JSON.parse(stdout)).toEqual(args);
  });

  test('passes the given environment and nothing else', async () => {
    const code = `
      import { runProcess } from ${JSON.stringify(sourceUrl('platform/process/run-process.ts'))};
      process.env.SECRET = 'x';
      process.env.NODE_V8_COVERAGE = '/nowhere';
      const { stdout } = await runProcess(['/usr/bin/env'], ${JSON.stringify({ ...BOUNDS, env: { A: '1' } })});
      console.log(JSON.stringify(stdout));`;
    expect(await runModule(code)).toBe('A=1\n');
  });

  test('starts the process in the given folder', async () => {
    const dir = makeTree();
    expect((await bash('pwd', { cwd: dir })).stdout).toBe(`${dir}\n`);
  });

  test('gives the process empty input, or the given text', async () => {
    expect(await bash('cat; echo end')).toMatchObject({ stdout: 'end\n' });
    expect(await bash('cat', { input: 'text' })).toMatchObject({ stdout: 'text' });
  });

  test('works even if the process does not read its input', async () => {
    expect(await bash('exec <&-; exit 0', { input: 'x'.repeat(1024 * 1024) })).toMatchObject({ exitCode: 0 });
  });

  test('reports its output while it is printed', async () => {
    const seen: string[] = [];
    await bash('echo one; sleep 0.2; echo two >&2', { onOutput: (stream, text) => seen.push(`${stream}: ${text}`) });
    expect(seen).toEqual(['stdout: one\n', 'stderr: two\n']);
  });

  test('passes the given files and none that is withheld', async ({ skip }) => {
    skip(process.platform !== 'linux', 'this needs Linux');
    const dir = makeTree({ file: 'content', secret: 'secret' });
    const [file, secret] = [openSync(join(dir, 'file'), 'r'), openSync(join(dir, 'secret'), 'r')];
    const script = 'cat <&3; for fd in /proc/self/fd/*; do readlink -f $fd; done';
    const { stdout } = await bash(script, { files: [file, secret], withheld: [7] });
    closeSync(file);
    closeSync(secret);
    expect(stdout).toContain('content');
    expect(stdout).toContain(realpathSync(join(dir, 'secret')));
    const withheld = await bash('readlink /proc/self/fd/5', { files: [], withheld: [5] });
    expect(withheld.stdout).toBe('/dev/null\n');
  });
});

describe('running a process that cannot be started', () => {
  const dir = (): string => makeTree({ plain: 'text' });

  test.each([
    ['is missing', () => [join(dir(), 'missing')], 'ENOENT'],
    ['may not be executed', () => [join(dir(), 'plain')], 'EACCES'],
    ['has too large arguments', () => ['/bin/true', 'x'.repeat(4 * 1024 * 1024)], 'E2BIG'],
    ['has a NUL in an argument', () => ['/bin/true', 'a\0b'], 'ERR_INVALID_ARG_VALUE'],
  ])('gives a failure value if it %s', async (_, command, startError) => {
    expect(await run(command())).toMatchObject({ ended: 'not-started', exitCode: null, signal: null, startError });
  });

  test('gives a failure value if its folder is missing', async () => {
    const cwd = join(makeTree(), 'missing');
    expect(await run(['/bin/true'], { cwd })).toMatchObject({ ended: 'not-started', startError: 'ENOENT' });
  });
});

describe('running a process with a time limit', () => {
  test('ends the process when the time is up', async () => {
    const ended = await bash('sleep 30', { timeoutMs: 300 });
    expect(ended).toMatchObject({ ended: 'timeout', exitCode: null });
    expect(ended.durationMs).toBeLessThan(25_000);
  });
});

describe('cancelling a process', () => {
  /** Cancels the script as soon as it prints. */
  const cancelled = (script: string, graceMs?: number): ReturnType<typeof bash> => {
    const cancel = new AbortController();
    const grace = graceMs === undefined ? {} : { graceMs };
    return bash(script, { signal: cancel.signal, onOutput: () => cancel.abort(), ...grace });
  };

  test('ends the process', async () => {
    expect(await cancelled('echo begun; sleep 30')).toMatchObject({ ended: 'cancelled', stdout: 'begun\n' });
  });

  test('ends the process even if it ignores SIGTERM, together with its children', async () => {
    const seconds = oddSeconds();
    const ended = await cancelled(`trap "" TERM; sleep ${seconds} & echo begun; wait`, 100);
    expect(ended).toMatchObject({ ended: 'cancelled', signal: 'SIGKILL' });
    expect(await findSurvivors(seconds)).toEqual([]);
  });

  test('leaves the process time to clean up', async () => {
    const script = 'trap "echo tidied; exit 7" TERM; echo begun; while :; do sleep 0.05; done';
    expect(await cancelled(script, 30_000)).toMatchObject({ exitCode: 7, stdout: 'begun\ntidied\n' });
  });

  test('before it starts prevents the start', async () => {
    const dir = makeTree();
    const ended = await bash('touch x', { cwd: dir, signal: AbortSignal.abort() });
    expect(ended).toMatchObject({ ended: 'cancelled', exitCode: null });
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('the output of a process', () => {
  test.each([
    ['stdout', 'head -c 1048576 /dev/zero', false],
    ['stderr', 'head -c 1048576 /dev/zero >&2', false],
    ['stdout', 'head -c 1048577 /dev/zero', true],
    ['stderr', 'head -c 1048577 /dev/zero >&2', true],
    ['both', 'head -c 600000 /dev/zero; head -c 448576 /dev/zero >&2', false],
    ['both', 'head -c 600000 /dev/zero; head -c 448577 /dev/zero >&2', true],
  ])('on %s is limited to the byte: %s', async (_, script, truncated) => {
    const ended = await bash(script);
    expect(ended).toMatchObject({ ended: truncated ? 'output' : 'exited', truncated });
    expect(ended.stdout.length + ended.stderr.length).toBe(1024 * 1024);
  });

  test('stops the process when it exceeds the limit', async () => {
    const ended = await bash('yes & yes >&2 & wait', { maxOutputBytes: 100_000 });
    expect(ended).toMatchObject({ ended: 'output', truncated: true });
    expect(ended.stdout.length + ended.stderr.length).toBe(100_000);
  });

  test('that is cut is still valid text', async () => {
    const ended = await bash('for i in 1 2 3 4 5; do printf 🙂; done', { maxOutputBytes: 10 });
    expect(ended).toMatchObject({ truncated: true, stdout: '🙂🙂' });
  });

  test('that is not valid UTF-8 becomes valid text', async () => {
    expect((await bash(String.raw`printf 'a\xff\xc3\xa9\xc3'`)).stdout).toBe('a\uFFFDé\uFFFD');
  });
});

describe('running a process that leaves others running', () => {
  test('kills those in its process group when it ends', async () => {
    const seconds = oddSeconds();
    expect(await bash(`sleep ${seconds} &`)).toMatchObject({ ended: 'exited', exitCode: 0 });
    expect(await findSurvivors(seconds)).toEqual([]);
  });

  test('does not wait for those in another session, although they keep the pipes open', async () => {
    const dir = makeTree();
    const pidFile = join(dir, 'pid');
    writeFileSync(pidFile, '');
    const script = `setsid bash -c 'echo $$ > ${pidFile}; exec sleep 30' & while [ ! -s ${pidFile} ]; do sleep 0.01; done; cat ${pidFile}`;
    const ended = await bash(script);
    const daemon = Number(ended.stdout);
    expect(isAlive(daemon)).toBe(true);
    process.kill(daemon, 'SIGKILL');
    expect(ended).toMatchObject({ ended: 'exited', exitCode: 0 });
    expect(ended.durationMs).toBeLessThan(25_000);
  });

  test('kills those in another session if the process itself is stopped', async ({ skip }) => {
    skip(process.platform !== 'linux', 'this needs Linux');
    const seconds = oddSeconds();
    const cancel = new AbortController();
    const options = { signal: cancel.signal, onOutput: () => cancel.abort(), graceMs: 0 };
    const ended = await bash(`setsid sleep ${seconds} & echo begun; wait`, options);
    expect(ended).toMatchObject({ ended: 'cancelled' });
    expect(await findSurvivors(seconds)).toEqual([]);
  });
});

describe('a process that our own process runs', () => {
  /** A process of ours that runs `sleep` in the background and in front, and then does this. */
  async function startOurs(seconds: string, then: string): Promise<ModuleProcess> {
    const ours = startModule(`
      import { runProcess } from ${JSON.stringify(sourceUrl('platform/process/run-process.ts'))};
      const run = runProcess(['/bin/bash', '-c', 'sleep ${seconds} & sleep ${seconds}'], ${JSON.stringify(BOUNDS)});
      ${then}
      console.log('begun');
      await run;`);
    expect(await nextLine(ours)).toBe('begun');
    return ours;
  }

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends when %s ends ours', async (signal) => {
    const seconds = oddSeconds();
    const ours = await startOurs(seconds, '');
    ours.kill(signal);
    await once(ours, 'exit');
    expect([ours.exitCode, ours.signalCode]).toEqual([null, signal]);
    expect(await findSurvivors(seconds)).toEqual([]);
  });

  test('ends when ours exits by itself', async () => {
    const seconds = oddSeconds();
    const ours = await startOurs(seconds, 'setTimeout(() => process.exit(3), 50);');
    await once(ours, 'exit');
    expect(ours.exitCode).toBe(3);
    expect(await findSurvivors(seconds)).toEqual([]);
  });

  test('keeps running if our program listens to the signal, which then decides', async () => {
    const seconds = oddSeconds();
    const listen = `process.once('SIGTERM', () => console.log('heard'));`;
    const ours = await startOurs(seconds, listen);
    ours.kill('SIGTERM');
    expect(await nextLine(ours)).toBe('heard');
    expect(findByCommandLine(seconds).length).toBeGreaterThan(0);
    ours.kill('SIGTERM');
    expect(await findSurvivors(seconds)).toEqual([]);
  });
});

const NOT_LINUX = process.platform !== 'linux';

describe.skipIf(NOT_LINUX)(
  `inherited file descriptors${NOT_LINUX ? ' (skipped: only Linux passes them on)' : ''}`,
  () => {
    test('are found if our parent left one open', () => {
      const code = `
      import { findInheritedDescriptors } from ${JSON.stringify(sourceUrl('platform/process/run-process.ts'))};
      console.log(JSON.stringify(findInheritedDescriptors()));`;
      const file = openSync(join(makeTree({ file: '' }), 'file'), 'r');
      const child = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
        // Node looks after the lowest ones itself, up to the first gap.
        stdio: ['ignore', 'pipe', 'inherit', ...Array.from({ length: 97 }, () => 'ignore' as const), file],
        encoding: 'utf8',
      });
      closeSync(file);
      expect(JSON.parse(child.stdout)).toContain(100);
    });

    test('do not include those that we opened ourselves', () => {
      const file = openSync(join(makeTree({ file: '' }), 'file'), 'r');
      expect(findInheritedDescriptors()).not.toContain(file);
      closeSync(file);
    });
  },
);
