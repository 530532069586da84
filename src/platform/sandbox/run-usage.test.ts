import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { measureRun } from './run-usage.ts';

const MEBI = 1024 * 1024;

function diskOf(outputDir: string, processes: readonly number[] = []): number {
  return Math.round(measureRun({ outputDir, processes, enoughBytes: 0 }).diskBytes / MEBI);
}

test('the disk usage of a run counts files at any depth, but not links and holes', () => {
  const dir = makeTree({ 'a/b/c': Buffer.alloc(2 * MEBI, 1), d: Buffer.alloc(MEBI, 1), e: { target: '/usr/bin/env' } });
  writeFileSync(join(dir, 'sparse'), '');
  truncateSync(join(dir, 'sparse'), 50 * MEBI);
  expect(diskOf(dir)).toBe(3);
});

test('the disk usage of a run counts a removed file as long as a process has it open', ({ skip }) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const dir = makeTree();
  const fd = openSync(join(dir, 'a'), 'w');
  onTestFinished(() => closeSync(fd));
  writeSync(fd, Buffer.alloc(3 * MEBI, 1));
  rmSync(join(dir, 'a'));
  expect(diskOf(dir)).toBe(0);
  expect(diskOf(dir, [process.pid])).toBe(3);
});

test('the memory of a run is estimated first, and measured exactly if the estimate is too high', ({ skip }) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const [outputDir, processes] = [makeTree(), [process.pid]];
  const [rough, exact] = [Number.MAX_SAFE_INTEGER, 0].map(
    (enoughBytes) => measureRun({ outputDir, processes, enoughBytes }).memoryBytes,
  );
  expect(exact).toBeGreaterThan(10 * MEBI);
  expect(rough).toBeGreaterThan(10 * MEBI);
});

test('the memory of a run does not count a process that is gone', () => {
  expect(measureRun({ outputDir: makeTree(), processes: [2 ** 30], enoughBytes: 0 }).memoryBytes).toBe(0);
});
