import { lstatSync, readdirSync, readFileSync, statSync, chmodSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { link, makeTree } from '../../test/support/tree.ts';
import { fail } from '../model/outcome.ts';
import { editForeignFile } from './edit-foreign-file.ts';

const add = async (text: string): Promise<{ readonly ok: true; readonly text: string }> => ({
  ok: true,
  text: `${text}+`,
});

test('editing another program’s file keeps a backup and its permissions', async () => {
  const root = makeTree({ 'a.json': 'one' });
  const file = join(root, 'a.json');
  chmodSync(file, 0o600);
  expect(await editForeignFile(file, add)).toEqual({ ok: true, path: file, isChanged: true, backup: `${file}.bak` });
  expect(await editForeignFile(file, add)).toMatchObject({ backup: `${file}.bak-2` });
  expect([file, `${file}.bak`, `${file}.bak-2`].map((path) => readFileSync(path, 'utf8'))).toEqual([
    'one++',
    'one',
    'one+',
  ]);
  for (const name of ['a.json', 'a.json.bak', 'a.json.bak-2'])
    expect(statSync(join(root, name)).mode & 0o777).toBe(0o600);
  expect(readdirSync(root).sort()).toEqual(['a.json', 'a.json.bak', 'a.json.bak-2']);
});

test('editing another program’s missing file creates it with its folders, without a backup', async () => {
  const file = join(makeTree(), 'deep/er/a.json');
  expect(await editForeignFile(file, add)).toMatchObject({ ok: true, isChanged: true, backup: undefined });
  expect(readFileSync(file, 'utf8')).toBe('+');
});

test('editing another program’s file writes nothing if nothing changes', async () => {
  const root = makeTree({ 'a.json': 'one' });
  const same = async (text: string): Promise<{ readonly ok: true; readonly text: string }> => ({ ok: true, text });
  expect(await editForeignFile(join(root, 'a.json'), same)).toMatchObject({ ok: true, isChanged: false });
  expect(readdirSync(root)).toEqual(['a.json']);
});

test('editing another program’s linked file changes the file behind the link', async () => {
  const root = makeTree({ 'dotfiles/a.json': 'one', 'a.json': link('dotfiles/a.json') });
  expect(await editForeignFile(join(root, 'a.json'), add)).toMatchObject({ ok: true });
  expect(lstatSync(join(root, 'a.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(root, 'dotfiles/a.json'), 'utf8')).toBe('one+');
});

test.each([
  ['the edit fails', 'one', async () => fail('CONFIG_INVALID', 'line 1 is broken')],
  ['it is not text', Buffer.of(0x7b, 0xff, 0x7d), add],
])('another program’s file stays unchanged if %s', async (_what, content, edit) => {
  const root = makeTree({ 'a.json': content });
  const file = join(root, 'a.json');
  expect(await editForeignFile(file, edit)).toMatchObject({
    ok: false,
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('nothing was changed'),
  });
  expect(readFileSync(file)).toEqual(Buffer.from(content));
  expect(readdirSync(root)).toEqual(['a.json']);
});
