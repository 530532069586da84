import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { watchDirectories, type DirectoryWatch } from './watch.ts';

interface Watching {
  readonly directories: DirectoryWatch;
  /** The next call of the listener after this one. */
  next(): Promise<void>;
  calls(): number;
}

function startWatch(): Watching {
  let calls = 0;
  let wake = (): void => undefined;
  const directories = watchDirectories(() => {
    calls += 1;
    wake();
  });
  onTestFinished(() => directories.close());
  return {
    directories,
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    calls: () => calls,
  };
}

describe('watching directories', () => {
  test('a new file, a changed one and a removed one are noticed', async () => {
    const dir = makeTree();
    const watching = startWatch();
    watching.directories.update([{ dir }]);
    for (const change of [
      () => writeFileSync(join(dir, 'a'), '1'),
      () => writeFileSync(join(dir, 'a'), '2'),
      () => rmSync(join(dir, 'a')),
    ]) {
      const noticed = watching.next();
      change();
      await noticed;
    }
    expect(watching.calls()).toBeGreaterThanOrEqual(3);
  });

  test('a directory that is not there yet is waited for, however deep', async () => {
    const root = makeTree();
    const dir = join(root, 'a/b/c');
    const watching = startWatch();
    watching.directories.update([{ dir }]);
    const appeared = watching.next();
    mkdirSync(dir, { recursive: true });
    await appeared;
    watching.directories.update([{ dir }]);
    const noticed = watching.next();
    writeFileSync(join(dir, 'file'), '');
    await noticed;
    expect(watching.calls()).toBeGreaterThanOrEqual(2);
  });

  test('only the names that are asked for count', async () => {
    const dir = makeTree();
    const watching = startWatch();
    watching.directories.update([{ dir, names: new Set(['wanted']) }]);
    const noticed = watching.next();
    writeFileSync(join(dir, 'other'), '');
    // Let the system's notices of the first file arrive before the second is made.
    await sleep(50);
    const before = watching.calls();
    writeFileSync(join(dir, 'wanted'), '');
    await noticed;
    expect(before).toBe(0);
  });

  test('a directory that was removed and made again is watched again', async () => {
    const root = makeTree({ 'dir/': '' });
    const dir = join(root, 'dir');
    const watching = startWatch();
    watching.directories.update([{ dir: root }, { dir }]);
    const replaced = watching.next();
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    await replaced;
    await sleep(50);
    watching.directories.update([{ dir: root }, { dir }]);
    const noticed = watching.next();
    writeFileSync(join(dir, 'file'), '');
    await noticed;
    expect(watching.calls()).toBeGreaterThanOrEqual(2);
  });

  test('what is no longer wanted is no longer watched, and nothing is after closing', async () => {
    const root = makeTree({ 'one/': '', 'two/': '' });
    const watching = startWatch();
    watching.directories.update([{ dir: join(root, 'one') }, { dir: join(root, 'two') }]);
    watching.directories.update([{ dir: join(root, 'two') }]);
    const noticed = watching.next();
    writeFileSync(join(root, 'one/file'), '');
    await sleep(50);
    const before = watching.calls();
    writeFileSync(join(root, 'two/file'), '');
    await noticed;
    watching.directories.close();
    const atClose = watching.calls();
    writeFileSync(join(root, 'two/other'), '');
    await sleep(50);
    expect([before, watching.calls()]).toEqual([0, atClose]);
  });
});
