import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { link, makeTree } from '../../../test/support/tree.ts';
import { kindAt, makeFolder, makeFolderInside, moveTo } from './folders.ts';

test('the kind of an entry at a path is told without following links', () => {
  const root = makeTree({ file: '', 'dir/': '', link: link('file'), dead: link('gone') });
  expect(['file', 'dir', 'link', 'dead', 'gone', 'file/x'].map((name) => kindAt(join(root, name)))).toEqual([
    'file',
    'directory',
    'link',
    'link',
    'missing',
    'missing',
  ]);
});

test('moving a folder never overwrites what exists', () => {
  const root = makeTree({ 'a/x': 'a', 'b/': '' });
  expect(moveTo(join(root, 'a'), join(root, 'b'))).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
  expect(moveTo(join(root, 'a'), join(root, 'c'))).toEqual({ ok: true });
  expect(readdirSync(root)).toEqual(['b', 'c']);
});

test('a folder is created only inside its boundary, even if links lead out of it', () => {
  const root = makeTree({ 'in/': '', 'out/': '', 'in/link': link('../out'), 'in/dead': link('../nowhere') });
  const boundary = join(root, 'in');
  expect(makeFolderInside(join(boundary, 'a/b'), { boundary })).toEqual({ ok: true, realDir: join(boundary, 'a/b') });
  for (const path of ['link', 'link/a', 'dead', 'dead/a', '../out/a'])
    expect(makeFolderInside(join(boundary, path), { boundary })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(makeFolderInside(join(boundary, 'link/a'), {})).toEqual({ ok: true, realDir: join(root, 'out/a') });
  expect(readdirSync(root)).toEqual(['in', 'out']);
});

test('creating a folder creates its parents, may be repeated, and fails below a file', () => {
  const dir = makeTree({ file: '' });
  expect(makeFolder(join(dir, 'a/b'))).toEqual({ ok: true });
  expect(makeFolder(join(dir, 'a/b'))).toEqual({ ok: true });
  expect(makeFolder(join(dir, 'file/x'))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
});

test('a private folder and the parents that are created with it can be entered by their owner alone', () => {
  const dir = makeTree();
  expect(makeFolderInside(join(dir, 'a/b'), { isPrivate: true })).toEqual({ ok: true, realDir: join(dir, 'a/b') });
  for (const path of ['a', 'a/b']) expect(statSync(join(dir, path)).mode & 0o777).toBe(0o700);
});
