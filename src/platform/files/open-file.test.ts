import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { openOwnFile } from './open-file.ts';

test('an open file can be read in pieces even after it was replaced', () => {
  const file = join(makeTree({}), 'a');
  writeFileSync(file, 'one two');
  using open = openOwnFile(file);
  writeFileSync(`${file}.new`, 'another');
  renameSync(`${file}.new`, file);
  expect(open?.size).toBe(7);
  expect(Buffer.from(open?.read(4, 3) ?? []).toString()).toBe('two');
});

test('an open file gives nothing beyond its end or after closing', () => {
  const file = join(makeTree({}), 'a');
  writeFileSync(file, 'one');
  const open = openOwnFile(file);
  expect(open?.read(1, 3)).toBeUndefined();
  open?.[Symbol.dispose]();
  open?.[Symbol.dispose]();
  expect(open?.read(0, 1)).toBeUndefined();
});

test('opening a missing file or a folder gives undefined and leaks no handle', () => {
  const dir = makeTree({});
  mkdirSync(join(dir, 'folder'));
  const before = readdirSync('/dev/fd').length;
  for (let round = 0; round < 100; round += 1) {
    expect(openOwnFile(join(dir, 'folder'))).toBeUndefined();
    expect(openOwnFile(join(dir, 'none'))).toBeUndefined();
  }
  expect(readdirSync('/dev/fd').length).toBe(before);
});
