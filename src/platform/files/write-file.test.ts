import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../../test/support/child.ts';
import { closePath } from '../../../test/support/closed.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { openSyncQueue } from './sync-queue.ts';
import { makeFolder, prepareFile, UNFINISHED_NAMES, writeWhole } from './write-file.ts';

describe('writing a file atomically', () => {
  test('creates the file and its parent folders, and leaves nothing else behind', () => {
    const dir = makeTree();
    const path = join(dir, 'a/b/file');
    expect(writeWhole(path, 'text')).toEqual({ ok: true, path });
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(readdirSync(join(dir, 'a/b'))).toEqual(['file']);
  });

  test('replaces the old content with bytes or text', () => {
    const dir = makeTree({ file: 'a much longer old content' });
    writeWhole(join(dir, 'file'), Buffer.from([0, 255]));
    expect(readFileSync(join(dir, 'file'))).toEqual(Buffer.from([0, 255]));
    expect(readdirSync(dir)).toEqual(['file']);
  });

  test.each(['600', '640', '755', '664', '666'])('keeps the mode %s', (mode) => {
    const dir = makeTree({ file: 'old' });
    chmodSync(join(dir, 'file'), Number.parseInt(mode, 8));
    writeWhole(join(dir, 'file'), 'new');
    expect((statSync(join(dir, 'file')).mode & 0o777).toString(8)).toBe(mode);
  });

  test('writes to the target of a link and keeps the link', () => {
    const dir = makeTree({ 'dotfiles/config': 'old', config: link('dotfiles/config') });
    expect(writeWhole(join(dir, 'config'), 'new')).toEqual({ ok: true, path: join(dir, 'dotfiles/config') });
    expect(readlinkSync(join(dir, 'config'))).toBe('dotfiles/config');
    expect(readFileSync(join(dir, 'dotfiles/config'), 'utf8')).toBe('new');
  });

  test('creates the missing target of a link and keeps the link', () => {
    const dir = makeTree({ 'dotfiles/': '', config: link('dotfiles/config') });
    writeWhole(join(dir, 'config'), 'new');
    expect(lstatSync(join(dir, 'config')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, 'dotfiles/config'), 'utf8')).toBe('new');
  });

  test('fails in a folder that is not writable, and the old content stays', async () => {
    const dir = makeTree({ 'folder/file': 'old' });
    chmodSync(dir, 0o755);
    closePath(join(dir, 'folder'), 0o555);
    const code = `
      import { writeWhole } from ${JSON.stringify(sourceUrl('platform/files/write-file.ts'))};
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(writeWhole(process.argv[1], 'new')));`;
    const path = join(dir, 'folder/file');
    const written = await runModule(code, [path]);
    expect(written).toEqual({
      ok: false,
      code: 'STORE_FAILED',
      message: `${path} could not be written: permission denied`,
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(join(dir, 'folder'))).toEqual(['file']);
  });

  test('fails without leftovers if a folder is in its place', () => {
    const dir = makeTree({ 'taken/': '' });
    expect(writeWhole(join(dir, 'taken'), 'new')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readdirSync(dir)).toEqual(['taken']);
  });

  test('fails if a file is in the place of its folder', () => {
    const dir = makeTree({ file: 'old' });
    const path = join(dir, 'file/below');
    expect(writeWhole(path, 'new')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('old');
  });

  test('works or fails without damage for a very long name', () => {
    const dir = makeTree();
    const path = join(dir, 'n'.repeat(250));
    writeFileSync(path, 'old');
    const written = writeWhole(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe(written.ok ? 'new' : 'old');
    expect(readdirSync(dir)).toHaveLength(1);
  });

  test('leaves the old or the new content if the process is killed, never a part', async () => {
    const dir = makeTree();
    const path = join(dir, 'store/file');
    mkdirSync(join(dir, 'store'));
    const contents = ['a', 'b'].map((letter) => letter.repeat(512 * 1024));
    writeWhole(path, contents[0] ?? '');
    for (let kill = 0; kill < propertyRuns(8, 2); kill += 1) {
      const writer = startModule(WRITE_FOREVER, [path]);
      await nextLine(writer);
      for (let reads = 0; reads < 5; reads += 1) expect(contents).toContain(readFileSync(path, 'utf8'));
      writer.kill('SIGKILL');
      await once(writer, 'close');
      expect(contents).toContain(readFileSync(path, 'utf8'));
    }
  });
});

/** Ends by itself, in case the test does not stop it. */
const WRITE_FOREVER = `
  import { writeWhole } from ${JSON.stringify(sourceUrl('platform/files/write-file.ts'))};
  for (let round = 0; round < 100_000; round += 1) {
    writeWhole(process.argv[1], (round % 2 === 0 ? 'a' : 'b').repeat(512 * 1024));
    if (round === 3) console.log('writing');
  }`;

test('writing a file removes old leftovers of killed writers, but not what another process is writing', () => {
  const dir = makeTree({ '.skillplane-old.tmp': '', '.skillplane-new.tmp': '', '.other.tmp': '' });
  utimesSync(join(dir, '.skillplane-old.tmp'), 0, 0);
  utimesSync(join(dir, '.other.tmp'), 0, 0);
  writeWhole(join(dir, 'file'), 'text');
  expect(readdirSync(dir)).toEqual(['.other.tmp', '.skillplane-new.tmp', 'file']);
});

describe('preparing a file for an atomic replacement', () => {
  const sync = openSyncQueue();
  afterAll(() => sync.flush());

  test('writes the new content beside it with its mode, ready to be renamed', () => {
    const dir = makeTree({ file: 'old' });
    chmodSync(join(dir, 'file'), 0o600);
    const prepared = prepareFile(join(dir, 'file'), 'new', sync);
    if (!prepared.ok) throw new Error(prepared.message);
    expect(prepared.target).toBe(join(dir, 'file'));
    expect(prepared.prepared.slice(dir.length + 1)).toMatch(UNFINISHED_NAMES);
    expect([readFileSync(prepared.target, 'utf8'), readFileSync(prepared.prepared, 'utf8')]).toEqual(['old', 'new']);
    expect(statSync(prepared.prepared).mode & 0o777).toBe(0o600);
  });

  test('creates the folder of a new file, and writes beside the target of a link', () => {
    const dir = makeTree({ 'home/linked': link('../real/file'), 'home/new': link('../real/new'), 'real/file': 'x' });
    expect(prepareFile(join(dir, 'a/b'), 'x', sync)).toMatchObject({ ok: true, target: join(dir, 'a/b') });
    for (const [name, target] of [
      ['linked', 'real/file'],
      ['new', 'real/new'],
    ] as const)
      expect(prepareFile(join(dir, 'home', name), 'x', sync)).toMatchObject({
        target: join(dir, target),
        prepared: expect.stringContaining(join(dir, 'real/.skillplane-')),
      });
  });

  test('fails without leftovers if it cannot be written', () => {
    const dir = makeTree({ file: '' });
    expect(prepareFile(join(dir, 'file/x'), 'x', sync)).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readdirSync(dir)).toEqual(['file']);
  });
});

test('creating a folder creates its parents, may be repeated, and fails below a file', () => {
  const dir = makeTree({ file: '' });
  expect(makeFolder(join(dir, 'a/b'))).toEqual({ ok: true });
  expect(makeFolder(join(dir, 'a/b'))).toEqual({ ok: true });
  expect(makeFolder(join(dir, 'file/x'))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
});
