import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { measureDisk, measureMemory } from './run-watch.ts';

const MEBI = 1024 * 1024;

test('the disk usage of a run counts files at any depth, but not links and holes', () => {
  const dir = makeTree({ 'a/b/c': Buffer.alloc(2 * MEBI, 1), d: Buffer.alloc(MEBI, 1), e: { target: '/usr/bin/env' } });
  writeFileSync(join(dir, 'sparse'), '');
  truncateSync(join(dir, 'sparse'), 50 * MEBI);
  expect(Math.round(measureDisk(dir) / MEBI)).toBe(3);
});

test('the memory of a run is the sum over its processes, without those that are gone', ({ skip }) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const one = measureMemory([process.pid]);
  expect(one).toBeGreaterThan(10 * MEBI);
  expect(measureMemory([process.pid, process.pid])).toBeGreaterThan(1.5 * one);
  expect(measureMemory([2 ** 30])).toBe(0);
});
