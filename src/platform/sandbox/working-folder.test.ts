import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeFifo } from '../../../test/support/fifo.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { sha256Of } from '../../parse/digest.ts';
import { MAX_WRITTEN_FILES, rememberFolder, saveFiles } from './working-folder.ts';

const pathsOf = (files: readonly { readonly path: string }[]): readonly string[] => files.map(({ path }) => path);

describe('the files that a script wrote', () => {
  test('are the new and the changed regular files, sorted, however deep', () => {
    const dir = makeTree({ 'kept.txt': 'kept', 'changed.txt': 'one', 'gone.txt': '', 'a/kept': '' });
    const written = rememberFolder(dir);
    expect(written()).toEqual({ files: [], isCut: false });
    writeTree(dir, { 'z.txt': 'abc', 'a/b/c.bin': Buffer.from([0, 1]), 'B/': '' });
    appendFileSync(join(dir, 'changed.txt'), ' two');
    rmSync(join(dir, 'gone.txt'));
    expect(written()).toEqual({
      files: [
        { path: 'a/b/c.bin', size: 2, digest: sha256Of(Buffer.from([0, 1])) },
        { path: 'changed.txt', size: 7, digest: sha256Of('one two') },
        { path: 'z.txt', size: 3, digest: sha256Of('abc') },
      ],
      isCut: false,
    });
  });

  test('include no links, no pipes and nothing behind a link', () => {
    const outside = makeTree({ 'folder/secret': 'x' });
    const dir = makeTree();
    const written = rememberFolder(dir);
    symlinkSync(join(outside, 'folder/secret'), join(dir, 'file-link'));
    symlinkSync(join(outside, 'folder'), join(dir, 'folder-link'));
    makeFifo(join(dir, 'pipe'));
    expect(written()).toEqual({ files: [], isCut: false });
  });

  test('are listed up to a limit, and the result says if there are more', () => {
    const dir = makeTree();
    const written = rememberFolder(dir);
    for (let at = 0; at < MAX_WRITTEN_FILES; at += 1) writeFileSync(join(dir, `f${at}`), '');
    expect(written().isCut).toBe(false);
    writeFileSync(join(dir, 'one-more'), '');
    const { files, isCut } = written();
    expect([files.length, isCut]).toEqual([MAX_WRITTEN_FILES, true]);
  });

  test('lose their special bits', () => {
    const dir = makeTree();
    const written = rememberFolder(dir);
    writeFileSync(join(dir, 'program'), '');
    chmodSync(join(dir, 'program'), 0o6755);
    expect(pathsOf(written().files)).toEqual(['program']);
    expect(statSync(join(dir, 'program')).mode & 0o7777).toBe(0o755);
  });

  test('are saved all or none, and replace nothing', () => {
    const dir = makeTree({ 'sub/one': '1', two: '2' });
    const files = [
      { path: 'sub/one', size: 1, digest: '' },
      { path: 'two', size: 1, digest: '' },
    ];
    const to = join(makeTree(), 'new/out');
    expect(saveFiles(files, dir, to)).toEqual({ ok: true, paths: [join(to, 'sub/one'), join(to, 'two')] });
    expect(readFileSync(join(to, 'sub/one'), 'utf8')).toBe('1');
    rmSync(join(to, 'sub'), { recursive: true });
    expect(saveFiles(files, dir, to)).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
    mkdirSync(join(to, 'sub'));
    expect(saveFiles(files.slice(0, 1), dir, to)).toMatchObject({ ok: true });
  });
});
