import { chmodSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree, writeTree } from '../../../test/support/tree.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { digestFolder } from '../../parse/digest.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { compareFiles, compareWithDisk, diffVersions } from './compare-files.ts';

const file = (path: string, digest = 'x', executable = false): LockedSkill['files'][number] => ({
  path,
  digest,
  executable,
});

test('comparing two versions of a skill lists each difference once, sorted by path, content before mode', () => {
  const before = [file('same'), file('gone'), file('text'), file('mode'), file('both')];
  const after = [file('same'), file('text', 'y'), file('mode', 'x', true), file('both', 'y', true), file('new')];
  expect(compareFiles(before, after)).toEqual([
    { path: 'both', kind: 'changed' },
    { path: 'gone', kind: 'removed' },
    { path: 'mode', kind: 'mode' },
    { path: 'new', kind: 'added' },
    { path: 'text', kind: 'changed' },
  ]);
  expect(compareFiles(before, before.toReversed())).toEqual([]);
});

function lockOf(dir: string): LockedSkill {
  const digest = digestFolder(openSkillFolder(dir));
  if (!digest.ok) throw new Error(digest.message);
  const rights = new Map(
    openSkillFolder(dir)
      .files()
      .files.map(({ path, executable }) => [path, executable]),
  );
  const files = digest.files.map(({ path, digest: hash }) => file(path, hash, rights.get(path)));
  return { name: 'pdf', origin: { kind: 'directory', url: 'x' }, path: '', digest: digest.digest, files };
}

test('comparing a skill with its lock finds changed modes and missing files, and ignores Unicode forms of names', () => {
  const tree = { 'SKILL.md': 'x', 'cafe\u0301.txt': 'x', 'run.sh': '#!/bin/sh\n', '.hidden/x': '' };
  const locked = lockOf(makeTree(tree));
  expect(locked.files.map(({ path, executable }) => [path, executable])).toEqual([
    ['.hidden/x', false],
    ['SKILL.md', false],
    ['caf\u00e9.txt', false],
    ['run.sh', true],
  ]);
  const dir = makeTree(tree);
  expect(compareWithDisk(locked, dir)).toEqual([]);
  chmodSync(join(dir, '.hidden/x'), 0o755);
  expect(compareWithDisk(locked, dir)).toEqual([{ path: '.hidden/x', kind: 'mode' }]);
  expect(compareWithDisk(locked, join(dir, 'nowhere'))).toHaveLength(4);
});

test('the diff of an update shows text line by line, names mode changes, and marks binary files as not text', () => {
  const before = makeTree({ 'a.txt': 'one\n', mode: 'one\n', bin: Buffer.from([0, 255]) });
  const after = makeTree();
  writeTree(after, { 'a.txt': 'two\n', mode: 'two\n', bin: Buffer.from([255]), new: 'new\n' });
  const diff = diffVersions(before, after, [
    { path: 'a.txt', kind: 'changed' },
    { path: 'bin', kind: 'changed' },
    { path: 'mode', kind: 'mode' },
    { path: 'new', kind: 'added' },
  ]);
  expect(diff).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n');
  expect(diff).toContain('bin: changed, not text\n');
  // The text may have changed as well.
  expect(diff).toContain('mode: the executable bit changes\n--- a/mode\n');
  expect(diff).toContain('+new\n');
});
