import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { findDescendants } from './process-tree.ts';

test('all descendants of a process are found, and a process that is gone has none', async ({ skip }) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const script = 'sh -c "sleep 30 & echo \\$!; wait" & wait';
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const { pid = 0 } = child;
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
  const [grandchild]: unknown[] = await once(child.stdout, 'data');
  const found = findDescendants(pid);
  expect(found).toHaveLength(3);
  expect(found).toContain(Number(String(grandchild)));
  expect(findDescendants(2 ** 30)).toEqual([2 ** 30]);
});
