import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { openOwnFile } from './open-file.ts';

test('an open file is read in pieces, also after another one took its name', () => {
  const file = join(makeTree({}), 'a');
  writeFileSync(file, 'one two');
  using open = openOwnFile(file);
  writeFileSync(`${file}.new`, 'another');
  renameSync(`${file}.new`, file);
  expect(open?.size).toBe(7);
  expect(Buffer.from(open?.read(4, 3) ?? []).toString()).toBe('two');
});

test('bytes beyond the end, or after closing, cannot be read', () => {
  const file = join(makeTree({}), 'a');
  writeFileSync(file, 'one');
  const open = openOwnFile(file);
  expect(open?.read(1, 3)).toBeUndefined();
  open?.[Symbol.dispose]();
  open?.[Symbol.dispose]();
  expect(open?.read(0, 1)).toBeUndefined();
});

test('what is missing or no file is not opened, and leaves no handle open', () => {
  const dir = makeTree({});
  mkdirSync(join(dir, 'folder'));
  const before = readdirSync('/dev/fd').length;
  for (let round = 0; round < 100; round += 1) {
    expect(openOwnFile(join(dir, 'folder'))).toBeUndefined();
    expect(openOwnFile(join(dir, 'none'))).toBeUndefined();
  }
  expect(readdirSync('/dev/fd').length).toBe(before);
});
