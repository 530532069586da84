import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { isOwnerGone, uniqueName } from './clock.ts';

const dead = spawnSync(process.execPath, ['--version']).pid;

test('the owner of a temporary name counts as gone once its process has ended', () => {
  expect(isOwnerGone(uniqueName(), Infinity)).toBe(false);
  expect(isOwnerGone(uniqueName().replace(/^\d+/, String(dead)), 0)).toBe(true);
});

test('the owner of a temporary name from another container counts as gone after an hour', () => {
  for (const pid of [dead, process.pid]) {
    const name = `${pid}-abcdefghij0000zzz`;
    expect(isOwnerGone(name, 3_500_000)).toBe(false);
    expect(isOwnerGone(name, 3_700_000)).toBe(true);
  }
});
