import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, runModule, sourceUrl } from '../../../test/support/child.ts';
import { closePath } from '../../../test/support/closed.ts';
import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import {
  exists,
  isPlainDirectory,
  isTaken,
  isWritable,
  listDirectory,
  measureFolder,
  ownerOf,
  readOwnText,
  readStamp,
  realPath,
} from './files.ts';

describe('listing a directory', () => {
  test('gives every entry with its kind, sorted by code units', () => {
    const dir = makeTree({ 'b/': '', a: '', B: '', ä: '', z: link('nowhere') });
    makeFifo(join(dir, 'pipe'));
    expect(listDirectory(dir)).toEqual({
      state: 'listed',
      entries: [
        { name: 'B', kind: 'file' },
        { name: 'a', kind: 'file' },
        { name: 'b', kind: 'directory' },
        { name: 'pipe', kind: 'other' },
        { name: 'z', kind: 'link' },
        { name: 'ä', kind: 'file' },
      ],
    });
  });

  test('tells a missing directory and a file apart without an error', () => {
    const dir = makeTree({ file: '' });
    expect(listDirectory(join(dir, 'missing'))).toEqual({ state: 'missing' });
    expect(listDirectory(join(dir, 'file'))).toEqual({ state: 'not-directory' });
  });

  test('says why a directory cannot be listed', async () => {
    const dir = makeTree({ 'closed/': '' });
    chmodSync(dir, 0o755);
    closePath(join(dir, 'closed'));
    const code = `
      import { listDirectory } from ${JSON.stringify(sourceUrl('platform/files/files.ts'))};
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(listDirectory(process.argv[1])));`;
    expect(await runModule(code, [join(dir, 'closed')])).toEqual({ state: 'unreadable', reason: 'permission denied' });
  });
});

describe('looking at a path', () => {
  test('gives the real path without links, or undefined if nothing is there', () => {
    const dir = makeTree({ 'real/': '', linked: link('real'), dangling: link('nowhere') });
    expect(realPath(join(dir, 'linked'))).toBe(join(dir, 'real'));
    expect(realPath(join(dir, 'dangling'))).toBeUndefined();
    expect(realPath(join(dir, 'missing'))).toBeUndefined();
  });

  test('gives a stamp only for a regular file that is not a link', () => {
    const dir = makeTree({ file: 'abc', 'sub/': '', linked: link('file') });
    const { mtimeMs, ctimeMs, ino } = statSync(join(dir, 'file'));
    expect(readStamp(join(dir, 'file'))).toMatchObject({ mtimeMs, ctimeMs, size: 3, ino });
    for (const name of ['sub', 'linked', 'missing', 'file/below', 'a\0b']) {
      expect(readStamp(join(dir, name))).toBeUndefined();
    }
  });

  test('gives the owner only for a directory, even through a link', () => {
    const dir = makeTree({ 'sub/': '', linked: link('sub'), file: '' });
    const owner = statSync(join(dir, 'sub')).uid;
    expect(ownerOf(join(dir, 'sub'))).toBe(owner);
    expect(ownerOf(join(dir, 'linked'))).toBe(owner);
    expect(ownerOf(join(dir, 'file'))).toBeUndefined();
    expect(ownerOf(join(dir, 'missing'))).toBeUndefined();
  });

  test('tells whether it exists and is writable', () => {
    const dir = makeTree({ file: '' });
    expect([exists(join(dir, 'file')), exists(join(dir, 'missing'))]).toEqual([true, false]);
    expect([isWritable(join(dir, 'file')), isWritable(join(dir, 'missing'))]).toEqual([true, false]);
  });
});

describe('reading a file of our own', () => {
  test('gives its text, or undefined if it does not exist', () => {
    const dir = makeTree({ file: 'text' });
    expect(readOwnText(join(dir, 'file'))).toEqual({ ok: true, text: 'text' });
    expect(readOwnText(join(dir, 'missing'))).toEqual({ ok: true, text: undefined });
    expect(readOwnText(join(dir, 'file/below'))).toEqual({ ok: true, text: undefined });
  });

  test('fails with the reason if it cannot be read', () => {
    const dir = makeTree({ 'sub/': '' });
    const path = join(dir, 'sub');
    expect(readOwnText(path)).toEqual({ ok: false, code: 'STORE_FAILED', message: `${path}: is a directory` });
  });
});

test('only a real folder is a plain directory, and a dangling link still takes its path', () => {
  const dir = makeTree({ 'folder/': '', file: '', linked: link('folder'), broken: link('nowhere') });
  const names = ['folder', 'file', 'linked', 'broken', 'none', 'file/x'];
  expect(names.filter((name) => isPlainDirectory(join(dir, name)))).toEqual(['folder']);
  expect(names.filter((name) => isTaken(join(dir, name)))).toEqual(['folder', 'file', 'linked', 'broken']);
});

test('measuring a folder counts its files and bytes, and a missing folder is empty', () => {
  const dir = makeTree({ a: 'abc', b: 'de' });
  expect(measureFolder(dir)).toEqual({ files: 2, bytes: 5 });
  expect(measureFolder(join(dir, 'missing'))).toEqual({ files: 0, bytes: 0 });
});
