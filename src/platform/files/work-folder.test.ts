import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { link, makeTree } from '../../../test/support/tree.ts';
import { openWorkFolder, type WorkFolder } from './work-folder.ts';

function open(root: string, boundary?: string): WorkFolder {
  const opened = openWorkFolder(root, boundary);
  if (!opened.ok) throw new Error(opened.message);
  return opened.folder;
}

test('a work folder is created with its parents, is ignored by git and is removed when it is empty', () => {
  const dir = makeTree({ 'kept/': '' });
  const folder = open(join(dir, 'kept/a/b'));
  expect(readFileSync(join(folder.dir, '.gitignore'), 'utf8')).toBe('*\n');
  folder.tidy();
  expect(readdirSync(join(dir, 'kept'))).toEqual([]);
});

test('a work folder that is not empty is kept, and so are parents that are in use', () => {
  const root = join(makeTree(), 'a');
  const [one, two] = [open(root), open(root)];
  mkdirSync(one.newPath());
  one.tidy();
  expect(readdirSync(root)).toEqual(['.skillplane']);
  expect(readdirSync(one.dir)).toContain('.gitignore');
  const other = join(makeTree(), 'a');
  const folder = open(other);
  writeFileSync(join(other, 'x'), '');
  folder.tidy();
  expect(readdirSync(other)).toEqual(['x']);
  expect(two.newPath()).not.toBe(two.newPath());
  expect(two.newPath().slice(two.dir.length + 1)).toMatch(/^\.skillplane-\d+-[0-9a-z]+\.new$/);
});

test.each([
  ['a file', 'x'],
  ['a link to a folder', link('../outside')],
  ['a link to nowhere', link('../nowhere')],
])('a work folder is refused if %s is in its place, and nothing is written or removed', (_what, content) => {
  const dir = makeTree({ 'root/.skillplane': content, 'outside/.gitignore': 'mine' });
  expect(openWorkFolder(join(dir, 'root'))).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  expect(readFileSync(join(dir, 'outside/.gitignore'), 'utf8')).toBe('mine');
  expect(readdirSync(dir)).toEqual(['outside', 'root']);
  expect(readdirSync(join(dir, 'root'))).toEqual(['.skillplane']);
});

test('opening a work folder writes nothing through a link', () => {
  const dir = makeTree({ 'root/.skillplane/.gitignore': link('../../outside') });
  expect(openWorkFolder(join(dir, 'root'))).toMatchObject({ ok: true });
  expect(existsSync(join(dir, 'outside'))).toBe(false);
  expect(readlinkSync(join(dir, 'root/.skillplane/.gitignore'))).toBe('../../outside');
});

test('a work folder that leaves its project through a link is refused, and nothing is left behind', () => {
  const dir = makeTree({ 'project/.agent': link('../outside'), 'outside/': '', 'inside/real/': '' });
  expect(openWorkFolder(join(dir, 'project/.agent/skills'), join(dir, 'project'))).toMatchObject({
    ok: false,
    code: 'PATH_REFUSED',
    message: expect.stringContaining('leaves the project'),
  });
  expect(readdirSync(join(dir, 'outside'))).toEqual([]);
});

test('a work folder behind a link that stays in its project is allowed', () => {
  const dir = makeTree({ 'project/.agent': link('real'), 'project/real/': '' });
  open(join(dir, 'project/.agent/skills'), join(dir, 'project'));
  expect(existsSync(join(dir, 'project/real/skills/.skillplane'))).toBe(true);
});

test('a work folder that cannot be created is a failure', () => {
  const dir = makeTree({ file: '' });
  expect(openWorkFolder(join(dir, 'file/x'))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
});

test('a work folder of the user can be entered by its owner alone, and that of a project by everyone', () => {
  const dir = makeTree({ 'project/': '' });
  const modesOf = (root: string): readonly string[] =>
    [root, join(root, '.skillplane'), join(root, '.skillplane/.gitignore')].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    );
  const mask = process.umask(0o022);
  open(join(dir, 'home/plugins'));
  open(join(dir, 'project/skills'), join(dir, 'project'));
  process.umask(mask);
  expect(modesOf(join(dir, 'home/plugins'))).toEqual(['700', '700', '600']);
  expect(modesOf(join(dir, 'project/skills'))).toEqual(['755', '755', '644']);
});
