import { once } from 'node:events';
import { chmodSync, existsSync, linkSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { DROP_PRIVILEGES, nextLine, runModule, sourceUrl, startModule } from '../../../test/support/child.ts';
import { closePath } from '../../../test/support/closed.ts';
import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { readInside } from './inside.ts';

const LIMIT = { maxBytes: 1024 };

describe('reading inside a folder: the path', () => {
  test.each([
    ['', 'the path is empty'],
    ['..', '".."'],
    ['../x', '".."'],
    ['a/../../x', '".."'],
    ['a/../x', '".."'],
    ['/etc/passwd', 'absolute'],
    ['C:/x', 'absolute'],
    ['c:x', 'absolute'],
    ['..\\x', 'backslash'],
    ['a\\b', 'backslash'],
    ['a\0b', 'NUL'],
    ['.', 'empty segment or "."'],
    ['./a', 'empty segment or "."'],
    ['a/./b', 'empty segment or "."'],
    ['a/', 'empty segment or "."'],
    ['a//b', 'empty segment or "."'],
  ])('%j is refused before any file is touched', (path, reason) => {
    // Nothing could be found in a folder that does not exist: only the path itself can be what is refused.
    const missing = join(makeTree(), 'missing');
    expect(readInside(missing, path, LIMIT)).toEqual({
      ok: false,
      code: 'PATH_REFUSED',
      message: expect.stringContaining(reason),
    });
  });

  test.each(['...', '..a', 'a..b', 'a/..b', '~', '$HOME', 'a b', '-rf'])(
    '%j is an ordinary name and is looked up',
    (path) => {
      expect(readInside(makeTree(), path, LIMIT)).toEqual({
        ok: false,
        code: 'RESOURCE_NOT_FOUND',
        message: 'File not found',
      });
    },
  );
});

describe('reading inside a folder', () => {
  test('gives the bytes and the stamp of a file', () => {
    const dir = makeTree({ 'references/a.md': 'text ä' });
    const { mtimeMs, ctimeMs, size, ino } = statSync(join(dir, 'references/a.md'));
    const read = readInside(dir, 'references/a.md', LIMIT);
    expect(read).toEqual({ ok: true, bytes: Buffer.from('text ä'), stamp: { mtimeMs, ctimeMs, size, ino } });
  });

  test('gives any bytes unchanged, also of an empty file', () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 0xff, 0xfe, 0x0d, 0x0a]);
    const dir = makeTree({ 'a.png': bytes, empty: '' });
    expect(readInside(dir, 'a.png', LIMIT)).toMatchObject({ ok: true, bytes });
    expect(readInside(dir, 'empty', LIMIT)).toMatchObject({ ok: true, bytes: Buffer.alloc(0) });
  });

  test('gives a small file in the scratch buffer and a larger one in its own', () => {
    const dir = makeTree({ small: 'abc', large: 'abcdef' });
    const scratch = Buffer.alloc(4);
    const small = readInside(dir, 'small', { ...LIMIT, scratch });
    const large = readInside(dir, 'large', { ...LIMIT, scratch });
    expect(small).toMatchObject({ ok: true, bytes: Buffer.from('abc') });
    expect(large).toMatchObject({ ok: true, bytes: Buffer.from('abcdef') });
    expect(scratch.subarray(0, 3).toString()).toBe('abc');
  });

  test('gives a file of exactly the limit and not one byte more, and refuses a gigabyte unread', () => {
    const dir = makeTree({ exact: 'x'.repeat(1024), over: 'x'.repeat(1025), sparse: '' });
    truncateSync(join(dir, 'sparse'), 2 ** 30);
    const tooLarge = { ok: false, code: 'PATH_REFUSED', message: 'it is larger than 1024 bytes' };
    expect(readInside(dir, 'exact', LIMIT)).toMatchObject({ ok: true, bytes: Buffer.from('x'.repeat(1024)) });
    expect(readInside(dir, 'over', LIMIT)).toEqual(tooLarge);
    expect(readInside(dir, 'sparse', LIMIT)).toEqual(tooLarge);
  });
});

describe('reading inside a folder through links:', () => {
  test('a link to a file inside is read, directly and through a linked folder', () => {
    const dir = makeTree({ 'real/a.md': 'mine', 'a.md': link('real/a.md'), linked: link('real') });
    expect(readInside(dir, 'a.md', LIMIT)).toMatchObject({ ok: true, bytes: Buffer.from('mine') });
    expect(readInside(dir, 'linked/a.md', LIMIT)).toMatchObject({ ok: true, bytes: Buffer.from('mine') });
  });

  test('a link that leaves the folder is refused, whether to a file, to a folder, absolute or in a chain', () => {
    const root = makeTree({
      'outside/secret': 'foreign',
      'skill/file': link('../outside/secret'),
      'skill/folder': link('../outside'),
      'skill/absolute': link('/etc/passwd'),
      'skill/chain': link('file'),
    });
    const dir = join(root, 'skill');
    for (const path of ['file', 'folder/secret', 'absolute', 'chain']) {
      expect(readInside(dir, path, LIMIT)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    }
  });

  test('a sibling folder whose name begins the same is outside', () => {
    const root = makeTree({
      'demo-evil/a': 'foreign',
      'demo/a': link('../demo-evil/a'),
      'demo/sub': link('../demo-evil'),
    });
    const dir = join(root, 'demo');
    for (const path of ['a', 'sub/a', '../demo-evil/a', '-evil/a']) {
      expect(readInside(dir, path, LIMIT)).toMatchObject({ ok: false });
    }
  });

  test('a dangling link, a link to itself, a circle and a link to the folder are refused', () => {
    const dir = makeTree({
      gone: link('nowhere'),
      self: link('self'),
      a: link('b'),
      b: link('a'),
      here: link('.'),
    });
    for (const path of ['gone', 'self', 'a', 'here']) {
      expect(readInside(dir, path, LIMIT)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    }
  });

  test('a link into /proc is refused, whether the file itself or a folder on the way', () => {
    const dir = makeTree({ environ: link('/proc/self/environ'), proc: link('/proc/self'), dev: link('/dev') });
    for (const path of ['environ', 'proc/environ', 'proc/root/etc/passwd', 'proc/cwd/package.json', 'dev/zero']) {
      expect(readInside(dir, path, LIMIT)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    }
  });

  test('a hard link is a file of the folder like any other', () => {
    const root = makeTree({ 'skill/': '', other: 'text' });
    linkSync(join(root, 'other'), join(root, 'skill/twin'));
    expect(readInside(join(root, 'skill'), 'twin', LIMIT)).toMatchObject({ ok: true, bytes: Buffer.from('text') });
  });

  test.each(['darwin', 'freebsd'])('on %s only files inside the folder are read, too', async (platform) => {
    const root = makeTree({
      'skill/a': 'own',
      'skill/real/b': 'own',
      'skill/in': link('real/b'),
      'skill/folder-in': link('real'),
      'skill/out': link('../outside/secret'),
      'skill/folder-out': link('../outside'),
      'skill/environ': link('/proc/self/environ'),
      'outside/secret': 'foreign',
    });
    const paths = ['a', 'real/b', 'in', 'folder-in/b', 'out', 'folder-out/secret', 'environ', 'real', 'gone'];
    const code = `
      Object.defineProperty(process, 'platform', { value: ${JSON.stringify(platform)} });
      const { readInside } = await import(${JSON.stringify(sourceUrl('platform/files/inside.ts'))});
      const [dir, ...paths] = process.argv.slice(1);
      const read = (path) => readInside(dir, path, { maxBytes: 99 });
      console.log(JSON.stringify(paths.map(read).map((r) => r.ok ? Buffer.from(r.bytes).toString() : r.code)));`;
    const refused = 'PATH_REFUSED';
    expect(await runModule(code, [join(root, 'skill'), ...paths])).toEqual([
      'own',
      'own',
      'own',
      'own',
      refused,
      refused,
      refused,
      refused,
      'RESOURCE_NOT_FOUND',
    ]);
  });
});

describe('reading inside a folder:', () => {
  test('FIFOs are refused without waiting for a writer, and a file beside them is read', () => {
    const dir = makeTree({ 'a.md': 'text' });
    const pipes = ['p1', 'p2', 'p3', 'p4', 'p5'];
    for (const pipe of pipes) makeFifo(join(dir, pipe));
    for (const pipe of pipes) {
      expect(readInside(dir, pipe, LIMIT)).toEqual({
        ok: false,
        code: 'PATH_REFUSED',
        message: 'it is not a regular file',
      });
    }
    expect(readInside(dir, 'a.md', LIMIT)).toMatchObject({ ok: true, bytes: Buffer.from('text') });
  });

  test('a directory and a link to one are refused', () => {
    const dir = makeTree({ 'sub/': '', linked: link('sub') });
    for (const path of ['sub', 'linked']) {
      expect(readInside(dir, path, LIMIT)).toMatchObject({ code: 'PATH_REFUSED', message: 'it is not a regular file' });
    }
  });

  test('a socket is refused', async () => {
    const dir = makeTree();
    const server = createServer().listen(join(dir, 's'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    expect(readInside(dir, 's', LIMIT)).toMatchObject({ code: 'PATH_REFUSED', message: 'it is not a regular file' });
  });

  test('a file below a file is not found', () => {
    const dir = makeTree({ file: '' });
    expect(readInside(dir, 'file/a', LIMIT)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  test('a file that may not be read says so', async () => {
    const dir = makeTree({ closed: 'text' });
    chmodSync(dir, 0o755);
    closePath(join(dir, 'closed'));
    const code = `
      import { readInside } from ${JSON.stringify(sourceUrl('platform/files/inside.ts'))};
      ${DROP_PRIVILEGES}
      console.log(JSON.stringify(readInside(process.argv[1], 'closed', { maxBytes: 99 })));`;
    expect(await runModule(code, [dir])).toEqual({ ok: false, code: 'STORE_FAILED', message: 'permission denied' });
  });
});

/** Of any device without such a delay: the file can be opened, and fails when it is read. */
const FAILING = '/sys/devices/breakpoint/power';

test('reading inside a folder reports a file that fails while it is read', ({ skip }) => {
  skip(!existsSync(join(FAILING, 'autosuspend_delay_ms')), 'this machine has no file that fails while it is read');
  expect(readInside(FAILING, 'autosuspend_delay_ms', { maxBytes: 9_999 })).toEqual({
    ok: false,
    code: 'STORE_FAILED',
    message: 'EIO',
  });
});

test('reading inside a folder returns a growing file at its size when opened, never more than the limit', async () => {
  const dir = makeTree({ growing: 'x' });
  const writer = startModule(GROW, [join(dir, 'growing')]);
  expect(await nextLine(writer)).toBe('growing');
  const lengths: number[] = [];
  for (let read = readInside(dir, 'growing', { maxBytes: 50_000 }); read.ok;) {
    expect(read.bytes.length).toBe(read.stamp.size);
    lengths.push(read.bytes.length);
    read = readInside(dir, 'growing', { maxBytes: 50_000 });
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(50_000);
  expect(new Set(lengths).size).toBeGreaterThan(1);
});

const GROW = `
  import { appendFileSync } from 'node:fs';
  appendFileSync(process.argv[1], 'x');
  console.log('growing');
  for (let round = 0; round < 100_000; round += 1) appendFileSync(process.argv[1], 'x'.repeat(10));`;

test('reading inside a folder never returns a foreign byte while another process swaps files and links', async () => {
  const root = makeTree({
    'skill/file': 'own',
    'skill/sub/file': 'own',
    'outside/file': 'foreign',
    'aside/file-link': link('../outside/file'),
    'aside/sub-link': link('../outside'),
  });
  const swapper = startModule(SWAP, [root]);
  expect(await nextLine(swapper)).toBe('swapping');
  const dir = join(root, 'skill');
  const counts = new Map<string, number>();
  for (let round = 0; round < 10_000; round += 1) {
    for (const path of ['file', 'sub/file']) {
      const read = readInside(dir, path, LIMIT);
      const result = read.ok ? read.bytes.toString() : read.code;
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
  }
  expect(swapper.exitCode).toBeNull();
  expect(counts.get('foreign')).toBeUndefined();
  expect(counts.get('own')).toBeGreaterThan(0);
  expect(
    [...counts.keys()].filter((result) => !['own', 'PATH_REFUSED', 'RESOURCE_NOT_FOUND'].includes(result)),
  ).toEqual([]);
});

/** Ends by itself long after the reader, in case the test does not stop it. */
const SWAP = `
  import { renameSync } from 'node:fs';
  const root = process.argv[1];
  const swap = (name) => {
    renameSync(root + '/skill/' + name, root + '/aside/' + name);
    renameSync(root + '/aside/' + name + '-link', root + '/skill/' + name);
    renameSync(root + '/skill/' + name, root + '/aside/' + name + '-link');
    renameSync(root + '/aside/' + name, root + '/skill/' + name);
  };
  swap('file');
  console.log('swapping');
  for (let round = 0; round < 3_000_000; round += 1) { swap('file'); swap('sub'); }`;

describe('reading inside a folder that has become a link', () => {
  const swapped = (): string => join(makeTree({ 'elsewhere/file': 'text', skill: link('elsewhere') }), 'skill');

  test('is refused if no owner is given', () => {
    expect(readInside(swapped(), 'file', { maxBytes: 100 })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });

  test('is allowed for the owner of the file and for no other user', () => {
    const dir = swapped();
    const { uid } = statSync(join(dir, 'file'));
    expect(readInside(dir, 'file', { maxBytes: 100, owner: uid })).toMatchObject({ ok: true });
    expect(readInside(dir, 'file', { maxBytes: 100, owner: uid + 1 })).toMatchObject({
      ok: false,
      code: 'PATH_REFUSED',
    });
  });
});
