import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../../test/support/child.ts';
import { closePath } from '../../../test/support/closed.ts';
import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { MAX_FOLDER_DEPTH, MAX_SKILL_FILES } from '../../model/limits.ts';
import { readInside } from './inside.ts';
import { listInside } from './list-inside.ts';

function pathsOf(dir: string): readonly string[] {
  return listInside(dir).files.map(({ path }) => path);
}

describe('listing inside a folder', () => {
  test('gives every regular file, however nested, the shallow ones first, with size and executable bit', () => {
    const dir = makeTree({ 'b/c/d.md': 'text', 'b/a.sh': '#!/bin/sh\n', 'z.md': '', '.hidden': 'x', 'empty/': '' });
    expect(listInside(dir)).toEqual({
      files: [
        { path: '.hidden', size: 1, executable: false },
        { path: 'z.md', size: 0, executable: false },
        { path: 'b/a.sh', size: 10, executable: true },
        { path: 'b/c/d.md', size: 4, executable: false },
      ],
      refused: [],
    });
  });

  test('gives a hard link as a regular file', () => {
    const root = makeTree({ 'skill/': '', other: 'text' });
    linkSync(join(root, 'other'), join(root, 'skill/twin'));
    expect(pathsOf(join(root, 'skill'))).toEqual(['twin']);
  });

  test('gives names with line ends, blanks, quotes and any letters, all of which can be read', () => {
    const names = ['\n', ' ', "it's", 'tab\t', 'ü', '\uFFFD', '…', '..a', '-rf', '\u001B[31m'].sort();
    const dir = makeTree(Object.fromEntries(names.map((name) => [name, 'own'])));
    expect(pathsOf(dir)).toEqual(names);
    for (const name of names) expect(readInside(dir, name, { maxBytes: 9 })).toMatchObject({ ok: true });
  });
});

describe('listing inside a folder', () => {
  test('refuses links of every kind, pipes, and names that no path can hold', () => {
    const dir = makeTree({
      file: 'text',
      'folder/a': '',
      'link-in': link('file'),
      'link-out': link('/etc/passwd'),
      'link-folder': link('folder'),
      'link-gone': link('nowhere'),
      'link-loop': link('link-loop'),
      'link-proc': link('/proc/self'),
      'back\\slash': '',
      'c:drive': '',
    });
    makeFifo(join(dir, 'pipe'));
    expect(listInside(dir)).toEqual({
      files: [
        { path: 'file', size: 4, executable: false },
        { path: 'folder/a', size: 0, executable: false },
      ],
      refused: [
        { path: 'back\\slash', kind: 'name', reason: 'contains a backslash; use /' },
        { path: 'c:drive', kind: 'name', reason: 'is absolute; it must be relative to the skill' },
        ...['folder', 'gone', 'in', 'loop', 'out', 'proc'].map((name) => ({
          path: `link-${name}`,
          kind: 'link',
          reason: 'is a link',
        })),
        { path: 'pipe', kind: 'special', reason: 'is not a regular file' },
      ],
    });
  });

  test('refuses a file or folder whose name is not valid UTF-8', () => {
    const dir = makeTree({ fine: '' });
    const name = (last: number): Buffer => Buffer.concat([Buffer.from(`${dir}/n`), Buffer.from([last])]);
    writeFileSync(name(0xff), 'x');
    mkdirSync(name(0xc0));
    const reason = 'has a name that is not valid UTF-8; rename it';
    expect(listInside(dir)).toEqual({
      files: [{ path: 'fine', size: 0, executable: false }],
      refused: [
        { path: 'n\uFFFD', kind: 'name', reason },
        { path: 'n\uFFFD', kind: 'name', reason },
      ],
    });
  });

  test('refuses names that the caller leaves out, at every depth', () => {
    const dir = makeTree({ '.git/config': '', 'a/.git': '', 'a/git': '', 'node.git': '' });
    expect(listInside(dir, { leaveOut: new Set(['.git']) })).toMatchObject({
      files: [{ path: 'node.git' }, { path: 'a/git' }],
      refused: [
        { path: '.git', kind: 'left-out', reason: 'is left out' },
        { path: 'a/.git', kind: 'left-out', reason: 'is left out' },
      ],
    });
  });

  test('refuses a folder that is nested too deeply', () => {
    const deepest = Array.from({ length: MAX_FOLDER_DEPTH }, () => 'd').join('/');
    const above = deepest.slice(2);
    const dir = makeTree({ [`${deepest}/file`]: '', [`${above}/file`]: '' });
    expect(listInside(dir)).toMatchObject({
      files: [{ path: `${above}/file` }],
      refused: [{ path: deepest, kind: 'too-deep', reason: `is nested deeper than ${MAX_FOLDER_DEPTH} levels` }],
    });
  });

  test('refuses the entries beyond the limit, counting folders and entries that are left out', () => {
    const dir = makeTree({ '0/': '', '1.git': '', a: '', b: '', c: '', d: '' });
    const { files, refused } = listInside(dir, { leaveOut: new Set(['1.git', 'c']), maxEntries: 4 });
    expect(files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(refused).toEqual([
      { path: '1.git', kind: 'left-out', reason: 'is left out' },
      { path: 'c', kind: 'too-many', reason: 'and what follows is left out: there are more than 4 entries' },
    ]);
    expect(MAX_SKILL_FILES).toBe(10_000);
  });

  test('refuses a folder that may not be listed, and lists its siblings', async () => {
    const dir = makeTree({ 'closed/a': '', 'open/b': '' });
    chmodSync(dir, 0o755);
    closePath(join(dir, 'closed'));
    const code = `
      import { listInside } from ${JSON.stringify(sourceUrl('platform/files/list-inside.ts'))};
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(listInside(process.argv[1])));`;
    expect(await runModule(code, [dir])).toEqual({
      files: [{ path: 'open/b', size: 0, executable: false }],
      refused: [{ path: 'closed', kind: 'unlisted', reason: 'cannot be listed: permission denied' }],
    });
  });

  test('refuses a file whose folder may be listed but not entered', async () => {
    const dir = makeTree({ 'half/a': 'text' });
    chmodSync(dir, 0o755);
    closePath(join(dir, 'half'), 0o644);
    const code = `
      import { listInside } from ${JSON.stringify(sourceUrl('platform/files/list-inside.ts'))};
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(listInside(process.argv[1])));`;
    expect(await runModule(code, [dir])).toEqual({
      files: [],
      refused: [{ path: 'half/a', kind: 'unreadable', reason: 'cannot be read: permission denied' }],
    });
  });

  test('refuses the folder itself if it is missing, a file or a link', () => {
    const root = makeTree({ file: '', 'real/a': '', linked: link('real') });
    const refusalOf = (name: string): unknown => listInside(join(root, name));
    expect(refusalOf('gone')).toEqual({
      files: [],
      refused: [{ path: '', kind: 'unlisted', reason: 'cannot be listed: not found' }],
    });
    expect(refusalOf('file')).toEqual({
      files: [],
      refused: [{ path: '', kind: 'unlisted', reason: 'cannot be listed: not a directory' }],
    });
    expect(refusalOf('linked')).toMatchObject({ files: [], refused: [{ path: '' }] });
  });
});

test('listing inside a folder never gives a foreign name while another process swaps folder and link', async () => {
  const root = makeTree({ 'skill/sub/deep/own': '', 'outside/deep/foreign': '', 'aside/link': link('../outside') });
  const swapper = startModule(SWAP, [root]);
  expect(await nextLine(swapper)).toBe('swapping');
  const seen = new Map<string, number>();
  for (let round = 0; round < 5_000; round += 1) {
    for (const path of pathsOf(join(root, 'skill'))) seen.set(path, (seen.get(path) ?? 0) + 1);
  }
  expect(swapper.exitCode).toBeNull();
  expect([...seen.keys()]).toEqual(['sub/deep/own']);
});

const SWAP = `
  import { renameSync } from 'node:fs';
  const root = process.argv[1];
  const swap = () => {
    renameSync(root + '/skill/sub', root + '/aside/sub');
    renameSync(root + '/aside/link', root + '/skill/sub');
    renameSync(root + '/skill/sub', root + '/aside/link');
    renameSync(root + '/aside/sub', root + '/skill/sub');
  };
  swap();
  console.log('swapping');
  for (let round = 0; round < 3_000_000; round += 1) swap();`;

test('listing inside a folder that was moved away gives nothing', () => {
  const root = makeTree({ 'skill/a': '' });
  renameSync(join(root, 'skill'), join(root, 'moved'));
  expect(pathsOf(join(root, 'skill'))).toEqual([]);
});

test('listing inside a folder refuses links even where the system does not tell the path of an open folder', async () => {
  const root = makeTree({ 'skill/sub/a': '', 'skill/out': link('../outside'), 'outside/foreign': '' });
  const code = `
    Object.defineProperty(process, 'platform', { value: 'freebsd' });
    const { listInside } = await import(${JSON.stringify(sourceUrl('platform/files/list-inside.ts'))});
    console.log(JSON.stringify(listInside(process.argv[1])));`;
  expect(await runModule(code, [join(root, 'skill')])).toEqual({
    files: [{ path: 'sub/a', size: 0, executable: false }],
    refused: [{ path: 'out', kind: 'link', reason: 'is a link' }],
  });
});

test('listing inside a folder lists or refuses every entry on disk', () => {
  const dir = makeTree({ 'a/b/c': '', 'a/d': link('b'), e: '', 'f\\g': '', 'h/': '' });
  const { files, refused } = listInside(dir);
  const listed = [...files, ...refused].map(({ path }) => path).sort();
  const found = execFileSync('find', ['.', '!', '-type', 'd', '-printf', '%P\n'], { cwd: dir, encoding: 'utf8' });
  expect(listed).toEqual(found.trim().split('\n').sort());
});
