import { expect, test } from 'vitest';

import { hasUnclearCredentials, hideAllCredentials, hideCredentials, looksLikeAddress } from './address.ts';

test.each([
  ['https://user:secret@host.example/x', 'https://host.example/x'],
  ['https://secret@host.example/x', 'https://host.example/x'],
  ['https://us/er:secret@host.example/x', 'https://host.example/x'],
  ['https://sec/ret@host.example/x', 'https://host.example/x'],
  ['https://user:sec/ret@host.example', 'https://host.example'],
  ['https://user:8080/secret@host.example/x', 'https://host.example/x'],
  ['https://user:sec#ret@host.example', 'https://host.example'],
  ['https://user:sec?ret@host.example', 'https://host.example'],
  ['https://user:s@ecret@host.example', 'https://host.example'],
  ['https://first.last:secret@host.example', 'https://host.example'],
  ['https://first.last@host.example', 'https://host.example'],
  ['https:/user:secret@host.example', 'https:/host.example'],
  ['https://user:secret@hub.example/@team', 'https://team'],
  ['ext::user:secret@host', 'ext::host'],
  ['postgres://me:secret@db:5432/x', 'postgres://db:5432/x'],
  ['user:secret@host.example/x', 'host.example/x'],
  ['ghp_SECRET@host.example/x', 'host.example/x'],
  ['user:sec/ret@host', 'host'],
  ['//user:secret@host.example/x', 'host.example/x'],
  ['https://user:secret%40host.example/x', 'https://host.example/x'],
  ['https://host.example/a.zip?token=secret&x=1', 'https://host.example/a.zip?token=…&x=1'],
])('the address %s is shown as %s', (address, shown) => {
  expect(hideCredentials(address)).toBe(shown);
  expect(hideAllCredentials(hideCredentials(address))).toBe(shown);
});

test.each([
  'https://host.example/x',
  'https://cdn.example/gh/owner/repo@v1/a.zip',
  'https://github.com/a/b#feature@2',
  'http://localhost:3000/x@1/a.zip',
  'https://hub.example:8443/@team/pdf@^1.2',
  'http://hub:8470/@team',
  'file:///home/a@b:c/d@e',
  'skill://pdf/a@b.md',
  'git@github.com:a/b.git',
  'owner/repo@skill',
  '@team/pdf@1.0.0',
  'npm:@team/skills@^1',
  'npm:skills@1',
  './a:b',
  '//share/folder@2/x',
  'https://host.example/me%40work/x.zip',
])('the address %s holds no credentials and is shown whole', (address) => {
  expect(hideCredentials(address)).toBe(address);
  expect(hideAllCredentials(`"${address}" is wrong`)).toBe(`"${address}" is wrong`);
  expect(hasUnclearCredentials(address)).toBe(false);
});

test('credentials are hidden in every address of a text', () => {
  expect(hideAllCredentials('no "https://a:s@b/c", `ssh://d:s@e` and https:/f:s@g/h, but me@i.example')).toBe(
    'no "https://b/c", `ssh://e` and https:/g/h, but me@i.example',
  );
});

test.each([
  ['https://us/er:secret@host.example/x', true],
  ['https://sec/ret@host.example/x', true],
  ['https://me:a@b/secret@host.example/x', true],
  ['https://me:secret@host.example/x@1', false],
  ['https://me:s@ecret@host.example/x', false],
])('whether %s may have a slash in its password: %s', (address, expected) => {
  expect(hasUnclearCredentials(address)).toBe(expected);
});

test.each([
  ['https://host.example', true],
  ['me:secret@host', true],
  ['C://x', false],
  ['C:\\a@b', false],
  ['a/b:c@d', false],
  ['site', false],
])('whether %s looks like an address: %s', (text, expected) => {
  expect(looksLikeAddress(text)).toBe(expected);
});
