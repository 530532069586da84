import { closeSync, fstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { openSyncQueue } from './sync-queue.ts';
import { openNewFile } from './write-file.ts';

test('flushing the sync queue waits until every file is on disk and closes them all, however many', async () => {
  const dir = makeTree();
  const sync = openSyncQueue();
  const files = Array.from({ length: 600 }, (_, at) => {
    const path = join(dir, String(at));
    const fd = openNewFile(path, 'x', 0o644);
    sync.add(fd, path);
    return fd;
  });
  expect(await sync.flush()).toEqual({ ok: true });
  expect(new Set(files).size).toBeLessThan(300);
  const probe = openSync(dir, 'r');
  expect(probe).toBeLessThanOrEqual(Math.min(...files));
  closeSync(probe);
});

test('flushing the sync queue except for some files returns earlier, and the last flush waits for them', async () => {
  const dir = makeTree();
  const sync = openSyncQueue();
  const add = (at: number): number => {
    const fd = openNewFile(join(dir, String(at)), 'x', 0o644);
    sync.add(fd, join(dir, String(at)));
    return fd;
  };
  const fds = Array.from({ length: 40 }, (_, at) => add(at));
  expect(await sync.flush(40)).toEqual({ ok: true });
  expect(fds.some(isOpen)).toBe(true);
  expect(await sync.flush()).toEqual({ ok: true });
  expect(fds.some(isOpen)).toBe(false);
});

test('flushing an empty sync queue succeeds, even twice', async () => {
  const sync = openSyncQueue();
  expect([await sync.flush(), await sync.flush()]).toEqual([{ ok: true }, { ok: true }]);
});

test('flushing the sync queue fails and names the file that cannot be flushed', async () => {
  const dir = makeTree();
  const sync = openSyncQueue();
  const add = (name: string): void => sync.add(openNewFile(join(dir, name), 'x', 0o644), join(dir, name));
  // More than are kept open, so that the last ones are opened again.
  for (let at = 0; at < 400; at += 1) add(String(at));
  rmSync(join(dir, '399'));
  mkdirSync(join(dir, 'later'));
  expect(await sync.flush()).toMatchObject({
    ok: false,
    code: 'STORE_FAILED',
    message: expect.stringContaining('399'),
  });
  expect(await sync.flush()).toEqual({ ok: true });
});

test('disposing of the sync queue closes its files', async () => {
  const dir = makeTree();
  const fds: number[] = [];
  {
    using sync = openSyncQueue();
    for (let at = 0; at < 20; at += 1) {
      const fd = openNewFile(join(dir, String(at)), 'x', 0o644);
      fds.push(fd);
      sync.add(fd, join(dir, String(at)));
    }
  }
  const last = fds.at(-1) ?? 0;
  await expect.poll(() => isOpen(last)).toBe(false);
});

test('disposing of the sync queue during a flush closes its files before the caller continues', async () => {
  const dir = makeTree();
  const fds: number[] = [];
  {
    await using sync = openSyncQueue();
    for (let at = 0; at < 40; at += 1) {
      const fd = openNewFile(join(dir, String(at)), 'x', 0o644);
      fds.push(fd);
      sync.add(fd, join(dir, String(at)));
    }
    await sync.flush(40);
  }
  expect(fds.filter(isOpen)).toEqual([]);
});

function isOpen(fd: number): boolean {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
}
