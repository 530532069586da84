import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { findByCommandLine, isAlive, oddSeconds } from '../../../test/support/processes.ts';
import { withMark } from '../sandbox/resource-limits.ts';
import { canFindMarked, findMarked, killMarked, makeMark, type ProcessMark } from './marked-processes.ts';

const SKIP = !canFindMarked();

function start(script: string, mark: ProcessMark): ChildProcess {
  const [file = '', ...args] = withMark(['/bin/bash', '-c', script], { mark, shell: '/bin/sh' });
  const env = { PATH: '/usr/bin:/bin', [mark.variable.name]: mark.variable.value };
  const child = spawn(file, args, { env, stdio: 'ignore', detached: true });
  onTestFinished(() => killMarked(mark));
  return child;
}

async function waitForMarked(mark: ProcessMark, count: number): Promise<readonly number[]> {
  for (;;) {
    const found = findMarked(mark);
    if (found.length >= count) return found;
    await sleep(10);
  }
}

describe.skipIf(SKIP)(`marked processes${SKIP ? ' (skipped: only Linux shows the marks)' : ''}`, () => {
  test('have unique marks', () => {
    expect(new Set(Array.from({ length: 100 }, () => makeMark().coreBlocks)).size).toBe(100);
  });

  test('are found by their mark, and no others are', async () => {
    const mark = makeMark();
    const child = start('exec sleep 30', mark);
    expect(await waitForMarked(mark, 1)).toEqual([child.pid]);
    expect(findMarked(makeMark())).toEqual([]);
  });

  test('are killed even in a session of their own', async () => {
    const mark = makeMark();
    start('setsid sleep 30 & exec sleep 30', mark);
    const found = await waitForMarked(mark, 2);
    await killMarked(mark);
    expect(found.filter(isAlive)).toEqual([]);
  });

  test('are killed even if they have cleared their environment', async () => {
    const mark = makeMark();
    const seconds = oddSeconds();
    start(`env -i /usr/bin/setsid /bin/sleep ${seconds} & exec sleep 30`, mark);
    await waitForMarked(mark, 2);
    await killMarked(mark);
    expect(findByCommandLine(seconds)).toEqual([]);
  });

  test('are killed even if they keep starting successors', async () => {
    const mark = makeMark();
    const script = 'next() { sleep 0.03; (next &) }; next & wait; sleep 0.2';
    start(script, mark);
    await waitForMarked(mark, 1);
    await sleep(150);
    await killMarked(mark);
    await sleep(100);
    expect(findMarked(mark)).toEqual([]);
  });
});
