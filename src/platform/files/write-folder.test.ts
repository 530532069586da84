import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { syncPaths, writeFiles, writeFolder } from './write-folder.ts';

const bytes = Buffer.from('x');

test('files of a new folder get their folders and one of two modes, whatever the umask', () => {
  const dir = join(makeTree(), 'a/b');
  const mask = process.umask(0o077);
  try {
    const files = [
      { path: 'c/d/run.sh', bytes, executable: true },
      { path: 'c/d/text.md', bytes, executable: false },
    ];
    expect(writeFiles(dir, files)).toEqual({ ok: true });
  } finally {
    process.umask(mask);
  }
  const modes = ['', 'c', 'c/d', 'c/d/run.sh', 'c/d/text.md'].map((path) => statSync(join(dir, path)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o755, 0o644]);
});

test('writing a new folder never reuses, follows or overwrites anything that exists', () => {
  const root = makeTree({ 'outside/': '', 'there/x': 'old' });
  expect(writeFiles(join(root, 'there'), [])).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  const dir = join(root, 'new');
  const written = writeFolder(dir, (write) => {
    symlinkSync('../outside', join(dir, 'linked'));
    symlinkSync('../outside/new.md', join(dir, 'link.md'));
    for (const path of ['linked/x', 'link.md'])
      expect(write({ path, bytes, executable: false })).toMatchObject({ ok: false });
    expect(readdirSync(join(root, 'outside'))).toEqual([]);
    expect(write({ path: 'x', bytes, executable: false })).toEqual({ ok: true });
    expect(readFileSync(join(dir, 'x'), 'utf8')).toBe('x');
    return write({ path: 'x', bytes: Buffer.from('y'), executable: false });
  });
  expect(written).toMatchObject({ ok: false, message: expect.stringContaining('x could not be written') });
  expect(existsSync(dir)).toBe(false);
  expect(readFileSync(join(root, 'there/x'), 'utf8')).toBe('old');
});

test.each(['../x', '/x', 'a/../../x', 'a//b', '', 'a\\b'])('a new folder refuses the path %j', (path) => {
  const written = writeFiles(join(makeTree(), 'new'), [{ path, bytes, executable: false }]);
  expect(written).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
});

test('new folders are flushed to disk with all their files, and a missing one is no failure', async () => {
  const dir = join(makeTree(), 'new');
  expect(writeFiles(dir, [{ path: 'a/b', bytes, executable: false }])).toEqual({ ok: true });
  expect(await syncPaths([dir, join(dir, 'nowhere')])).toEqual({ ok: true });
});
