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
  test('notices a new, a changed and a removed file', async () => {
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

  test('waits for a directory that does not exist yet, however deep', async () => {
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

  test('notices only the requested names', async () => {
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

  test('continues after a directory was removed and created again', async () => {
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

  test('stops for directories that are no longer requested, and for all when it is closed', async () => {
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
