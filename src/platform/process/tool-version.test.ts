import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../../test/support/tree.ts';
import { measureFolder } from '../files/files.ts';
import { nodeVersion, readToolVersion } from './tool-version.ts';

test('measuring a folder counts its files and bytes, and a missing folder is empty', () => {
  const dir = makeTree({ a: 'abc', b: 'de' });
  expect(measureFolder(dir)).toEqual({ files: 2, bytes: 5 });
  expect(measureFolder(join(dir, 'missing'))).toEqual({ files: 0, bytes: 0 });
});

test('the version of a tool is the first line that it prints', () => {
  const dir = makeTree({ tool: '#!/bin/sh\necho "tool 1.2"\necho more\n', bad: '#!/bin/sh\nexit 3\n' });
  expect(readToolVersion(join(dir, 'tool'))).toBe('tool 1.2');
  expect(readToolVersion(join(dir, 'bad'))).toBeUndefined();
  expect(readToolVersion(join(dir, 'missing'))).toBeUndefined();
});

test('the reported Node version is that of this process', () => {
  expect(nodeVersion()).toBe(process.versions.node);
});
