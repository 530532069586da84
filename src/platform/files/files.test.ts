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

  test('a missing directory and a file are answers, not errors', () => {
    const dir = makeTree({ file: '' });
    expect(listDirectory(join(dir, 'missing'))).toEqual({ state: 'missing' });
    expect(listDirectory(join(dir, 'file'))).toEqual({ state: 'not-directory' });
  });

  test('a directory that may not be listed says why', async () => {
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
  test('the real path has no links, and there is none where nothing is', () => {
    const dir = makeTree({ 'real/': '', linked: link('real'), dangling: link('nowhere') });
    expect(realPath(join(dir, 'linked'))).toBe(join(dir, 'real'));
    expect(realPath(join(dir, 'dangling'))).toBeUndefined();
    expect(realPath(join(dir, 'missing'))).toBeUndefined();
  });

  test('only a regular file that is no link has a stamp', () => {
    const dir = makeTree({ file: 'abc', 'sub/': '', linked: link('file') });
    const { mtimeMs, ctimeMs, ino } = statSync(join(dir, 'file'));
    expect(readStamp(join(dir, 'file'))).toMatchObject({ mtimeMs, ctimeMs, size: 3, ino });
    for (const name of ['sub', 'linked', 'missing', 'file/below', 'a\0b']) {
      expect(readStamp(join(dir, name))).toBeUndefined();
    }
  });

  test('only a directory has an owner, also through a link', () => {
    const dir = makeTree({ 'sub/': '', linked: link('sub'), file: '' });
    const owner = statSync(join(dir, 'sub')).uid;
    expect(ownerOf(join(dir, 'sub'))).toBe(owner);
    expect(ownerOf(join(dir, 'linked'))).toBe(owner);
    expect(ownerOf(join(dir, 'file'))).toBeUndefined();
    expect(ownerOf(join(dir, 'missing'))).toBeUndefined();
  });

  test('existing and writable', () => {
    const dir = makeTree({ file: '' });
    expect([exists(join(dir, 'file')), exists(join(dir, 'missing'))]).toEqual([true, false]);
    expect([isWritable(join(dir, 'file')), isWritable(join(dir, 'missing'))]).toEqual([true, false]);
  });
});

describe('reading a file of our own', () => {
  test('gives its text, and nothing where there is none', () => {
    const dir = makeTree({ file: 'text' });
    expect(readOwnText(join(dir, 'file'))).toEqual({ ok: true, text: 'text' });
    expect(readOwnText(join(dir, 'missing'))).toEqual({ ok: true, text: undefined });
    expect(readOwnText(join(dir, 'file/below'))).toEqual({ ok: true, text: undefined });
  });

  test('a file that cannot be read is a failure that says why', () => {
    const dir = makeTree({ 'sub/': '' });
    const path = join(dir, 'sub');
    expect(readOwnText(path)).toEqual({ ok: false, code: 'STORE_FAILED', message: `${path}: is a directory` });
  });
});

test('a folder is plain and a path is taken only by what is really there', () => {
  const dir = makeTree({ 'folder/': '', file: '', linked: link('folder'), broken: link('nowhere') });
  const names = ['folder', 'file', 'linked', 'broken', 'none', 'file/x'];
  expect(names.filter((name) => isPlainDirectory(join(dir, name)))).toEqual(['folder']);
  expect(names.filter((name) => isTaken(join(dir, name)))).toEqual(['folder', 'file', 'linked', 'broken']);
});
