import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, runModule, sourceUrl } from '../../../test/support/child.ts';
import { makeFifo } from '../../../test/support/fifo.ts';
import { deadToken } from '../../../test/support/locks.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { fail } from '../../model/outcome.ts';
import { renderToken, withLock, withLocks } from './lock.ts';
import { replaceFile } from './replace-file.ts';

const done = async (): Promise<{ ok: true }> => ({ ok: true });

describe('a file lock', () => {
  test('is a file beside the locked one while the work runs, and is removed afterwards', async () => {
    const dir = makeTree();
    const during = await withLock(join(dir, 'file'), async () => ({ ok: true, names: readdirSync(dir) }));
    expect(during).toEqual({ ok: true, names: ['file.lock'] });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('returns the failure of the work and is released', async () => {
    const dir = makeTree();
    const failed = await withLock(join(dir, 'file'), async () => fail('STORE_FAILED', 'no'));
    expect(failed).toEqual({ ok: false, code: 'STORE_FAILED', message: 'no' });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is released if the work throws', async () => {
    const dir = makeTree();
    const work = withLock(join(dir, 'file'), () => Promise.reject(new Error('a bug')));
    await expect(work).rejects.toThrow('a bug');
    expect(readdirSync(dir)).toEqual([]);
  });

  test('creates its folder', async () => {
    const dir = makeTree();
    expect(await withLock(join(dir, 'a/b/file'), done)).toEqual({ ok: true });
  });

  test('that cannot be created prevents the work', async () => {
    const dir = makeTree({ file: '' });
    let isDone = false;
    const failed = await withLock(join(dir, 'file/below'), async () => {
      isDone = true;
      return { ok: true };
    });
    expect(failed).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(failed).not.toMatchObject({ message: expect.stringContaining('another process holds') });
    expect(isDone).toBe(false);
  });
});

describe('a file lock that is held', () => {
  test('makes the next process wait until the work is done', async () => {
    const path = join(makeTree(), 'file');
    const events: string[] = [];
    const work = (name: string) => async (): Promise<{ ok: true }> => {
      events.push(`${name} begins`);
      // Long enough for the other to try in between; the order is what is asserted.
      await sleep(60);
      events.push(`${name} ends`);
      return { ok: true };
    };
    await Promise.all([withLock(path, work('a')), withLock(path, work('b'))]);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('of a living process is not taken over', async () => {
    const path = join(makeTree(), 'file');
    const token = renderToken();
    writeFileSync(`${path}.lock`, token);
    let isReleased = false;
    const waiting = withLock(path, async () => ({ ok: true, wasReleased: isReleased }));
    await sleep(60);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(token);
    isReleased = true;
    rmSync(`${path}.lock`);
    expect(await waiting).toEqual({ ok: true, wasReleased: true });
  });

  test("keeps several processes from losing each other's changes", async () => {
    const dir = makeTree({ counter: '0' });
    const code = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { withLock } from ${JSON.stringify(sourceUrl('platform/files/lock.ts'))};
      const path = process.argv[1];
      for (let round = 0; round < 25; round += 1)
        await withLock(path, async () => {
          const count = Number(readFileSync(path, 'utf8'));
          await new Promise(setImmediate);
          writeFileSync(path, String(count + 1));
          return { ok: true };
        }, { patienceMs: 60_000 });
      console.log('true');`;
    const path = join(dir, 'counter');
    await Promise.all([runModule(code, [path]), runModule(code, [path]), runModule(code, [path])]);
    expect(readFileSync(path, 'utf8')).toBe('75');
    expect(readdirSync(dir)).toEqual(['counter']);
  });
});

describe('a file lock', () => {
  const silence = (lock: string, seconds: number): void => {
    const time = Date.now() / 1_000 - seconds;
    utimesSync(lock, time, time);
  };

  test('names the process that holds it, and can be read by no other user', async () => {
    const path = join(makeTree({ 'file.lock': renderToken() }), 'file');
    expect(await withLock(path, done, { patienceMs: 0 })).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      message: `process ${process.pid} holds ${path}.lock`,
      next: { advice: expect.stringContaining('30 seconds after its last sign of life') },
    });
    rmSync(`${path}.lock`);
    const mode = await withLock(path, async () => ({ ok: true, mode: statSync(`${path}.lock`).mode & 0o777 }));
    expect(mode).toEqual({ ok: true, mode: 0o600 });
  });

  test.each([
    ['of this machine', renderToken(), `process ${process.pid}`],
    ['of another machine', '1-abcdefghij0000zzz elsewhere', 'process 1 of another container or machine (elsewhere)'],
    [
      'of a machine with a hostile name',
      '1-abcdefghij0000zzz else\u001B[2Jwhere',
      'process 1 of another container or machine',
    ],
    ['of another program', 'garbage', 'another program'],
    ['that has not come to write its token', '', 'another program'],
  ])('of a process %s is held until it was silent for 30 seconds', async (_what, token, name) => {
    const path = join(makeTree(), 'file');
    const lock = `${path}.lock`;
    writeFileSync(lock, token);
    silence(lock, 29);
    const heard: string[] = [];
    const held = await withLock(path, done, { patienceMs: 0, onWait: (message) => heard.push(message) });
    expect(held).toMatchObject({ ok: false, message: `${name} holds ${lock}` });
    expect(heard).toEqual([`${name} holds ${lock}`]);
    silence(lock, 31);
    expect(await withLock(path, done, { patienceMs: 0 })).toEqual({ ok: true });
  });

  test('that was taken over meanwhile prevents the late write', async () => {
    const dir = makeTree({ file: 'theirs' });
    const path = join(dir, 'file');
    const written = await withLock(path, async ({ check }) => {
      writeFileSync(`${path}.lock`, 'another process');
      return replaceFile(path, 'ours', { check });
    });
    expect(written).toMatchObject({ ok: false, message: expect.stringContaining('took over the lock of') });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(dir)).toEqual(['file', 'file.lock']);
  });

  test.each([
    ['a dangling link', (path: string) => symlinkSync('nowhere', path)],
    ['a link to a file', (path: string) => symlinkSync('file', path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => makeFifo(path)],
  ])('that is %s is refused at once', async (_what, make) => {
    const dir = makeTree({ file: 'mine' });
    make(join(dir, 'file.lock'));
    expect(await withLock(join(dir, 'file'), done)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('mine');
  });
});

describe('several file locks', () => {
  test('are held together, and released together', async () => {
    const dir = makeTree();
    const paths = [join(dir, 'b'), join(dir, 'a')];
    const during = await withLocks(paths, async () => ({ ok: true, names: readdirSync(dir) }));
    expect(during).toEqual({ ok: true, names: ['a.lock', 'b.lock'] });
    expect(readdirSync(dir)).toEqual([]);
    expect(await withLocks([], done)).toEqual({ ok: true });
  });

  test('of which one is held by another process fail after the given time, and none stays', async () => {
    const dir = makeTree({ 'a.lock': renderToken() });
    const failed = await withLocks([join(dir, 'b'), join(dir, 'a')], done, { patienceMs: 0 });
    expect(failed).toMatchObject({ ok: false, message: expect.stringMatching(/^process \d+ holds .*a\.lock$/) });
    expect(readdirSync(dir)).toEqual(['a.lock']);
  });
});

describe('a stale file lock', () => {
  test('of a dead process is taken over', async () => {
    const dir = makeTree({ 'file.lock': await deadToken() });
    expect(await withLock(join(dir, 'file'), done)).toEqual({ ok: true });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('in a folder that is not writable is not waited for forever', async () => {
    const dir = makeTree({ 'file.lock': await deadToken() });
    chmodSync(dir, 0o555);
    const code = `
      import { withLock } from ${JSON.stringify(sourceUrl('platform/files/lock.ts'))};
      ${DROP_PRIVILEGES}
      const held = await withLock(process.argv[1], async () => ({ ok: true }), { patienceMs: 50 });
      console.log(JSON.stringify(held));`;
    expect(await runModule(code, [join(dir, 'file')])).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    chmodSync(dir, 0o755);
  });

  test('is taken over by only one process at a time', async () => {
    const dir = makeTree({ 'file.lock': await deadToken() });
    let holders = 0;
    let most = 0;
    const work = async (): Promise<{ ok: true }> => {
      holders += 1;
      most = Math.max(most, holders);
      await sleep(5);
      holders -= 1;
      return { ok: true };
    };
    const path = join(dir, 'file');
    await Promise.all([withLock(path, work), withLock(path, work), withLock(path, work)]);
    expect(most).toBe(1);
  });
});
