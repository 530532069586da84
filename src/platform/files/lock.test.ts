import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../../test/support/child.ts';
import { makeFifo } from '../../../test/support/fifo.ts';
import { deadToken } from '../../../test/support/locks.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { fail } from '../../model/outcome.ts';
import { ownIdentity, pidNamespace } from '../process/process-identity.ts';
import { renderToken } from './lock-owner.ts';
import { withLock, withLocks } from './lock.ts';
import { writeWhole } from './write-file.ts';

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
  const HOLDER = `
    import { withLock } from ${JSON.stringify(sourceUrl('platform/files/lock.ts'))};
    await withLock(process.argv[1], async () => {
      console.log('held');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      return { ok: true };
    });`;

  test('stays held while its owner is suspended, and the failure says so', async () => {
    const path = join(makeTree(), 'file');
    const holder = startModule(HOLDER, [path]);
    await nextLine(holder);
    holder.kill('SIGSTOP');
    const old = Date.now() / 1000 - 3_600;
    utimesSync(`${path}.lock`, old, old);
    await expect
      .poll(() => withLock(path, done, { patienceMs: 0 }))
      .toEqual({
        ok: false,
        code: 'STORE_FAILED',
        message: `process ${holder.pid}, which is suspended, holds ${path}.lock`,
        hint: 'Resume or end it.',
      });
  });

  test('is not held by another process that now has the same pid', async () => {
    const path = join(makeTree(), 'file');
    const other = { ...ownIdentity(), started: '1' };
    writeFileSync(`${path}.lock`, JSON.stringify(other));
    expect(await withLock(path, done, { patienceMs: 0 })).toEqual({ ok: true });
  });

  test.each([
    ['of another container', { namespace: 'zzz', pid: 2 ** 22 + 1 }],
    ['of another container or machine (elsewhere)', { boot: 'another', host: 'elsewhere' }],
    ['of another container or machine', { boot: 'another', host: 'else\u001B[2Jwhere' }],
  ])('is held by a process %s until it has been silent for 30 seconds', async (place, differing) => {
    // The first namespace sees every process, and then knows that there is none.
    const isVisible = 'namespace' in differing && pidNamespace() === (0xeffffffc).toString(36);
    const path = join(makeTree(), 'file');
    const owner = { ...ownIdentity(), ...differing };
    writeFileSync(`${path}.lock`, JSON.stringify(owner));
    const heard: string[] = [];
    const held = await withLock(path, done, { patienceMs: 0, onWait: (message) => heard.push(message) });
    const message = `process ${owner.pid} ${place} holds ${path}.lock`;
    expect(held).toMatchObject(isVisible ? { ok: true } : { ok: false, message });
    expect(heard).toEqual(isVisible ? [] : [message]);
    const silent = Date.now() / 1000 - 31;
    writeFileSync(`${path}.lock`, JSON.stringify(owner));
    utimesSync(`${path}.lock`, silent, silent);
    expect(await withLock(path, done, { patienceMs: 0 })).toEqual({ ok: true });
  });

  test('that was taken over meanwhile prevents the late write', async () => {
    const dir = makeTree({ file: 'theirs' });
    const path = join(dir, 'file');
    const written = await withLock(path, async ({ check }) => {
      writeFileSync(`${path}.lock`, 'another process');
      return writeWhole(path, 'ours', { check });
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

  test.each([`${process.pid} alive`, '', 'garbage', '{"pid":1}'])(
    'that is minutes old is taken over, whatever it contains: %j',
    async (token) => {
      const dir = makeTree({ 'file.lock': token });
      const old = Date.now() / 1000 - 300;
      utimesSync(join(dir, 'file.lock'), old, old);
      expect(await withLock(join(dir, 'file'), done)).toEqual({ ok: true });
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test('that is still empty is taken over after two seconds', async () => {
    const dir = makeTree({ 'file.lock': '' });
    const lock = join(dir, 'file.lock');
    let isOld = false;
    const waiting = withLock(join(dir, 'file'), async () => ({ ok: true, wasOld: isOld }));
    await sleep(60);
    const old = new Date(Date.now() - 3_000);
    isOld = true;
    utimesSync(lock, old, old);
    expect(await waiting).toEqual({ ok: true, wasOld: true });
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
