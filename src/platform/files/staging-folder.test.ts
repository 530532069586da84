import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { makeStagingFolder, syncFolders, type StagingFolder } from './staging-folder.ts';

const bytes = Buffer.from('x');

function make(dir: string): StagingFolder {
  const made = makeStagingFolder(dir);
  if (!made.ok) throw new Error(made.message);
  return made.folder;
}

test('files in a staging folder get their folders and one of two modes, whatever the umask', () => {
  const dir = join(makeTree(), 'a/b');
  const mask = process.umask(0o077);
  try {
    const folder = make(dir);
    expect(folder.write({ path: 'c/d/run.sh', bytes, executable: true })).toEqual({ ok: true });
    expect(folder.write({ path: 'c/d/text.md', bytes, executable: false })).toEqual({ ok: true });
  } finally {
    process.umask(mask);
  }
  const modes = ['', 'c', 'c/d', 'c/d/run.sh', 'c/d/text.md'].map((path) => statSync(join(dir, path)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o755, 0o644]);
});

test('a staging folder never reuses, follows or overwrites anything that exists', () => {
  const root = makeTree({ 'outside/': '', 'there/x': 'old' });
  expect(makeStagingFolder(join(root, 'there'))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  const dir = join(root, 'new');
  const folder = make(dir);
  symlinkSync('../outside', join(dir, 'linked'));
  symlinkSync('../outside/new.md', join(dir, 'link.md'));
  expect(folder.write({ path: 'linked/x', bytes, executable: false })).toMatchObject({ ok: false });
  expect(folder.write({ path: 'link.md', bytes, executable: false })).toMatchObject({ ok: false });
  expect(readdirSync(join(root, 'outside'))).toEqual([]);
  expect(folder.write({ path: 'x', bytes, executable: false })).toEqual({ ok: true });
  expect(folder.write({ path: 'x', bytes: Buffer.from('y'), executable: false })).toMatchObject({ ok: false });
  expect(readFileSync(join(dir, 'x'), 'utf8')).toBe('x');
  folder.remove();
  expect(existsSync(dir)).toBe(false);
});

test.each(['../x', '/x', 'a/../../x', 'a//b', '', 'a\\b'])('a staging folder refuses the path %j', (path) => {
  const folder = make(join(makeTree(), 'new'));
  expect(folder.write({ path, bytes, executable: false })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
});

test('staging folders are flushed to disk with all their files, and a missing one is no failure', async () => {
  const dir = join(makeTree(), 'new');
  expect(make(dir).write({ path: 'a/b', bytes, executable: false })).toEqual({ ok: true });
  expect(await syncFolders([dir, join(dir, 'nowhere')])).toEqual({ ok: true });
});
