import { chmodSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree } from '../../../test/support/tree.ts';
import { kindAt, makeFolderInside, moveTo, writeInside } from './write-inside.ts';

describe('writing inside a folder', () => {
  test('replaces a file atomically and keeps its mode', () => {
    const dir = makeTree({ 'a.md': 'old' });
    chmodSync(join(dir, 'a.md'), 0o640);
    expect(writeInside(join(dir, 'a.md'), 'new')).toEqual({ ok: true, path: join(dir, 'a.md') });
    expect(readFileSync(join(dir, 'a.md'), 'utf8')).toBe('new');
    expect(lstatSync(join(dir, 'a.md')).mode & 0o777).toBe(0o640);
    expect(readdirSync(dir)).toEqual(['a.md']);
  });

  test('replaces a link itself, not its target', () => {
    const root = makeTree({ 'outside.md': 'mine', 'dir/a.md': link('../outside.md') });
    expect(writeInside(join(root, 'dir/a.md'), 'new')).toMatchObject({ ok: true });
    expect(readFileSync(join(root, 'outside.md'), 'utf8')).toBe('mine');
    expect(kindAt(join(root, 'dir/a.md'))).toBe('file');
  });

  test('writes nothing if the folder has become a link', () => {
    const root = makeTree({ 'outside/a.md': 'mine', dir: link('outside') });
    expect(writeInside(join(root, 'dir/a.md'), 'new')).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(readdirSync(join(root, 'outside'))).toEqual(['a.md']);
    expect(readFileSync(join(root, 'outside/a.md'), 'utf8')).toBe('mine');
  });

  test('fails if the folder does not exist', () => {
    expect(writeInside(join(makeTree(), 'gone/a'), 'b')).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });
});

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
  expect(makeFolderInside(join(boundary, 'a/b'), boundary)).toEqual({ ok: true, realDir: join(boundary, 'a/b') });
  for (const path of ['link', 'link/a', 'dead', 'dead/a', '../out/a'])
    expect(makeFolderInside(join(boundary, path), boundary)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(makeFolderInside(join(boundary, 'link/a'), undefined)).toEqual({ ok: true, realDir: join(root, 'out/a') });
  expect(readdirSync(root)).toEqual(['in', 'out']);
});
