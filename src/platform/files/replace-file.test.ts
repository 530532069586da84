import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../../test/support/child.ts';
import { closePath } from '../../../test/support/closed.ts';
import { deadName } from '../../../test/support/locks.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { uniqueName } from '../clock.ts';
import { backUp, prepareBackup, prepareFile, replaceFile } from './replace-file.ts';

describe('writing a file atomically', () => {
  test('creates the file and its parent folders, and leaves nothing else behind', () => {
    const dir = makeTree();
    const path = join(dir, 'a/b/file');
    expect(replaceFile(path, 'text')).toEqual({ ok: true, path });
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(readdirSync(join(dir, 'a/b'))).toEqual(['file']);
  });

  test('replaces the old content with bytes or text', () => {
    const dir = makeTree({ file: 'a much longer old content' });
    replaceFile(join(dir, 'file'), Buffer.from([0, 255]));
    expect(readFileSync(join(dir, 'file'))).toEqual(Buffer.from([0, 255]));
    expect(readdirSync(dir)).toEqual(['file']);
  });

  test.each(['600', '640', '755', '664', '666'])('keeps the mode %s', (mode) => {
    const dir = makeTree({ file: 'old' });
    chmodSync(join(dir, 'file'), Number.parseInt(mode, 8));
    replaceFile(join(dir, 'file'), 'new');
    expect((statSync(join(dir, 'file')).mode & 0o777).toString(8)).toBe(mode);
  });

  test('writes to the target of a link and keeps the link', () => {
    const dir = makeTree({ 'dotfiles/config': 'old', config: link('dotfiles/config') });
    expect(replaceFile(join(dir, 'config'), 'new')).toEqual({ ok: true, path: join(dir, 'dotfiles/config') });
    expect(readlinkSync(join(dir, 'config'))).toBe('dotfiles/config');
    expect(readFileSync(join(dir, 'dotfiles/config'), 'utf8')).toBe('new');
  });

  test('creates the missing target of a link and keeps the link', () => {
    const dir = makeTree({ 'dotfiles/': '', config: link('dotfiles/config') });
    replaceFile(join(dir, 'config'), 'new');
    expect(lstatSync(join(dir, 'config')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, 'dotfiles/config'), 'utf8')).toBe('new');
  });

  test('fails in a folder that is not writable, and the old content stays', async () => {
    const dir = makeTree({ 'folder/file': 'old' });
    chmodSync(dir, 0o755);
    closePath(join(dir, 'folder'), 0o555);
    const code = `
      import { replaceFile } from ${JSON.stringify(sourceUrl('platform/files/replace-file.ts'))};
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(replaceFile(process.argv[1], 'new')));`;
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
    expect(replaceFile(join(dir, 'taken'), 'new')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readdirSync(dir)).toEqual(['taken']);
  });

  test('fails if a file is in the place of its folder', () => {
    const dir = makeTree({ file: 'old' });
    const path = join(dir, 'file/below');
    expect(replaceFile(path, 'new')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('old');
  });

  test('works or fails without damage for a very long name', () => {
    const dir = makeTree();
    const path = join(dir, 'n'.repeat(250));
    writeFileSync(path, 'old');
    const written = replaceFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe(written.ok ? 'new' : 'old');
    expect(readdirSync(dir)).toHaveLength(1);
  });

  test('leaves the old or the new content if the process is killed, never a part', async () => {
    const dir = makeTree();
    const path = join(dir, 'store/file');
    mkdirSync(join(dir, 'store'));
    const contents = ['a', 'b'].map((letter) => letter.repeat(512 * 1024));
    replaceFile(path, contents[0] ?? '');
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
  import { replaceFile } from ${JSON.stringify(sourceUrl('platform/files/replace-file.ts'))};
  for (let round = 0; round < 100_000; round += 1) {
    replaceFile(process.argv[1], (round % 2 === 0 ? 'a' : 'b').repeat(512 * 1024));
    if (round === 3) console.log('writing');
  }`;

test('writing a file removes what killed writers left, but not what another process is writing', () => {
  const [dead, alive] = [deadName(), uniqueName()];
  const dir = makeTree({
    [`.skillplane-${dead}.tmp`]: '',
    [`.skillplane-${alive}.tmp`]: '',
    [`.skillplane-${dead}.new`]: 'part of a recorded change',
    '.other.tmp': '',
  });
  replaceFile(join(dir, 'file'), 'text');
  const kept = [`.skillplane-${alive}.tmp`, `.skillplane-${dead}.new`, '.other.tmp', 'file'];
  expect(readdirSync(dir)).toEqual(kept.toSorted());
});

describe('a private file', () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test('can be read by its owner alone, as can the folders that are created for it', () => {
    const dir = makeTree({ old: 'x' });
    chmodSync(join(dir, 'old'), 0o644);
    for (const name of ['old', 'a/b/new']) replaceFile(join(dir, name), 'text', { isPrivate: true });
    const paths = ['old', 'a', 'a/b', 'a/b/new'];
    expect(paths.map((path) => modeOf(join(dir, path)))).toEqual(['600', '700', '700', '600']);
  });

  test('closes the folder of our caches to others, and no folder that may hold more than our state', () => {
    const dir = makeTree({ 'cache/': '', 'skills/': '' });
    for (const name of ['cache', 'skills']) chmodSync(join(dir, name), 0o755);
    for (const name of ['cache', 'skills']) replaceFile(join(dir, name, 'file'), 'text', { isPrivate: true });
    expect(['cache', 'skills'].map((name) => modeOf(join(dir, name)))).toEqual(['700', '755']);
  });

  test('is the exception: other new files have the mode that the umask gives', () => {
    const dir = makeTree();
    for (const mask of [0o022, 0o077]) {
      const before = process.umask(mask);
      replaceFile(join(dir, `folder${mask}/file`), 'text');
      process.umask(before);
    }
    expect(['folder18', 'folder63'].map((name) => modeOf(join(dir, name)))).toEqual(['755', '700']);
    expect(['folder18', 'folder63'].map((name) => modeOf(join(dir, name, 'file')))).toEqual(['644', '600']);
  });
});

describe('preparing a file for an atomic replacement', () => {
  test('writes the new content beside it with its mode, ready to be renamed', () => {
    const dir = makeTree({ file: 'old' });
    chmodSync(join(dir, 'file'), 0o600);
    const prepared = prepareFile(join(dir, 'file'), 'new');
    if (!prepared.ok) throw new Error(prepared.message);
    expect(prepared.target).toBe(join(dir, 'file'));
    expect(prepared.prepared.slice(dir.length + 1)).toMatch(/^\.skillplane-\d+-[0-9a-z]+\.new$/);
    expect([readFileSync(prepared.target, 'utf8'), readFileSync(prepared.prepared, 'utf8')]).toEqual(['old', 'new']);
    expect(statSync(prepared.prepared).mode & 0o777).toBe(0o600);
  });

  test('creates the folder of a new file, and writes beside the target of a link', () => {
    const dir = makeTree({ 'home/linked': link('../real/file'), 'home/new': link('../real/new'), 'real/file': 'x' });
    expect(prepareFile(join(dir, 'a/b'), 'x')).toMatchObject({ ok: true, target: join(dir, 'a/b') });
    for (const [name, target] of [
      ['linked', 'real/file'],
      ['new', 'real/new'],
    ] as const)
      expect(prepareFile(join(dir, 'home', name), 'x')).toMatchObject({
        target: join(dir, target),
        prepared: expect.stringContaining(join(dir, 'real/.skillplane-')),
      });
  });

  test('fails without leftovers if it cannot be written', () => {
    const dir = makeTree({ file: '' });
    expect(prepareFile(join(dir, 'file/x'), 'x')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
    expect(readdirSync(dir)).toEqual(['file']);
  });
});

describe('replacing a file without following links', () => {
  test('replaces a file atomically and keeps its mode', () => {
    const dir = makeTree({ 'a.md': 'old' });
    chmodSync(join(dir, 'a.md'), 0o640);
    expect(replaceFile(join(dir, 'a.md'), 'new', { noLinks: true })).toEqual({ ok: true, path: join(dir, 'a.md') });
    expect(readFileSync(join(dir, 'a.md'), 'utf8')).toBe('new');
    expect(lstatSync(join(dir, 'a.md')).mode & 0o777).toBe(0o640);
    expect(readdirSync(dir)).toEqual(['a.md']);
  });

  test('replaces a link itself, not its target', () => {
    const root = makeTree({ 'outside.md': 'mine', 'dir/a.md': link('../outside.md') });
    expect(replaceFile(join(root, 'dir/a.md'), 'new', { noLinks: true })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, 'outside.md'), 'utf8')).toBe('mine');
    expect(lstatSync(join(root, 'dir/a.md')).isFile()).toBe(true);
  });

  test('writes nothing if the folder has become a link', () => {
    const root = makeTree({ 'outside/a.md': 'mine', dir: link('outside') });
    expect(replaceFile(join(root, 'dir/a.md'), 'new', { noLinks: true })).toMatchObject({
      ok: false,
      code: 'PATH_REFUSED',
    });
    expect(readdirSync(join(root, 'outside'))).toEqual(['a.md']);
    expect(readFileSync(join(root, 'outside/a.md'), 'utf8')).toBe('mine');
  });

  test('fails if the folder does not exist', () => {
    expect(replaceFile(join(makeTree(), 'gone/a'), 'b', { noLinks: true })).toMatchObject({
      ok: false,
      code: 'STORE_FAILED',
    });
  });
});

describe('a backup of a file', () => {
  test('has the first free name and the mode of the file, and is not made twice', () => {
    const dir = makeTree({ file: 'one', 'file.bak': 'other' });
    const path = join(dir, 'file');
    chmodSync(path, 0o640);
    expect(backUp(path)).toEqual({ ok: true, backup: `${path}.bak-2` });
    expect(statSync(`${path}.bak-2`).mode & 0o777).toBe(0o640);
    expect(backUp(path)).toEqual({ ok: true, backup: `${path}.bak-2` });
    expect(readdirSync(dir)).toEqual(['file', 'file.bak', 'file.bak-2']);
  });

  test('can be prepared beside the file that a link leads to, under a name that is free', () => {
    const dir = makeTree({ 'real/file': 'one', 'real/file.bak': 'one', file: link('real/file') });
    const made = prepareBackup(join(dir, 'file'));
    if (!made.ok) throw new Error(made.message);
    expect(made.to).toBe(join(dir, 'real/file.bak-2'));
    expect(readFileSync(made.prepared, 'utf8')).toBe('one');
  });
});
