import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { DROP_PRIVILEGES, runModule, sourceUrl } from '../../../test/support/child.ts';
import { deadName } from '../../../test/support/locks.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { fail } from '../../model/outcome.ts';
import { openKeptCopies, type KeptCopies } from './kept-copies.ts';

function make(copies: KeptCopies, name: string, text = name): string {
  const made = copies.make(name, (write) => write({ path: 'a/b.sh', bytes: Buffer.from(text), executable: true }));
  if (!made.ok) throw new Error(made.message);
  return made.dir;
}

/** A copy of a process that is gone, last used at this second. */
function abandon(root: string, name: string, second: number): void {
  make(openKeptCopies(root), name);
  const user = readdirSync(join(root, name)).find((file) => file.startsWith('used-')) ?? '';
  spawnSync('/bin/mv', [join(root, name, user), join(root, name, `used-${deadName()}`)]);
  utimesSync(join(root, name), second, second);
}

test('a kept copy of a skill is in a folder that others can neither list nor write to', () => {
  const root = join(makeTree(), 'cache/running');
  const copies = openKeptCopies(root);
  expect(copies.find('one')).toBeUndefined();
  const dir = make(copies, 'one');
  expect(copies.find('one')).toBe(dir);
  expect(readFileSync(join(dir, 'a/b.sh'), 'utf8')).toBe('one');
  expect(statSync(root).mode & 0o066).toBe(0);
});

test('a kept copy that could not be filled leaves nothing behind', () => {
  const root = makeTree();
  expect(openKeptCopies(root).make('one', () => fail('NOT_TRUSTED', 'no'))).toMatchObject({ code: 'NOT_TRUSTED' });
  expect(readdirSync(root)).toEqual([]);
});

test('a kept copy that another process made first is used', () => {
  const root = makeTree();
  const first = make(openKeptCopies(root), 'one', 'first');
  expect(make(openKeptCopies(root), 'one', 'second')).toBe(first);
  expect(readFileSync(join(first, 'a/b.sh'), 'utf8')).toBe('first');
  expect(readdirSync(root)).toEqual(['one']);
});

test.each([
  ['count', { copies: 2, bytes: 1_000 }],
  ['bytes', { copies: 100, bytes: 10 }],
])('beyond the limit of %s the least recently used kept copies are removed, except those in use', (_, limits) => {
  const root = makeTree();
  for (const [second, name] of ['aaaa', 'bbbb', 'cccc'].entries()) abandon(root, name, 1_000 + second);
  const copies = openKeptCopies(root, limits);
  expect(copies.find('aaaa')).toBeDefined();
  make(copies, 'dddd');
  expect(readdirSync(root)).toEqual(['aaaa', 'dddd']);
  // Both are in use, whatever the limit.
  make(copies, 'eeee');
  expect(readdirSync(root)).toEqual(['aaaa', 'dddd', 'eeee']);
});

test('the names of processes that used a kept copy do not pile up', () => {
  const root = makeTree();
  abandon(root, 'one', 1_000);
  expect(openKeptCopies(root).find('one')).toBeDefined();
  expect(readdirSync(join(root, 'one')).filter((file) => file.startsWith('used-'))).toHaveLength(1);
});

test('a kept copy that a killed process left half done is removed with the next copy', () => {
  const root = makeTree();
  const name = `new-${deadName()}`;
  mkdirSync(join(root, `${name}/content`), { recursive: true });
  writeFileSync(join(root, `${name}/content/file`), '');
  make(openKeptCopies(root), 'one');
  expect(readdirSync(root)).toEqual(['one']);
});

test('the owner of a kept copy can remove it with `rm -rf` without being root', async () => {
  const root = makeTree();
  spawnSync('/bin/chmod', ['777', root]);
  const code = `
    import { openKeptCopies } from ${JSON.stringify(sourceUrl('platform/files/kept-copies.ts'))};
    ${DROP_PRIVILEGES}
    const copies = openKeptCopies(process.argv[1] + '/running');
    const made = copies.make('one', (write) => write({ path: 'a/b/c', bytes: new Uint8Array(1), executable: false }));
    const { status } = process.getBuiltinModule('node:child_process').spawnSync('rm', ['-rf', process.argv[1] + '/running']);
    console.log(JSON.stringify({ ...made, status }));`;
  expect(await runModule(code, [root])).toMatchObject({ ok: true, status: 0 });
  expect(existsSync(join(root, 'running'))).toBe(false);
});
