import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import { digestFolder } from '../parse/digest.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { openTrustedCopies } from './trusted-copies.ts';

function digestOf(dir: string): string {
  const read = digestFolder(openSkillFolder(dir));
  if (!read.ok) throw new Error(read.message);
  return read.digest;
}

function take(home: string, dir: string, digest: string): string {
  const taken = openTrustedCopies(home).take(dir, digest);
  return taken.ok ? taken.dir : taken.code;
}

const FILES = { 'SKILL.md': 'text', 'scripts/a.sh': '#!/bin/sh\n', 'node_modules/b/index.js': '1' };

test('the trusted copy of a skill has the skill’s digest', () => {
  const [home, dir] = [makeTree(), makeTree(FILES)];
  const digest = digestOf(dir);
  expect(digestOf(take(home, dir, digest))).toBe(digest);
});

test('a skill that differs from its trusted state gets no trusted copy', () => {
  const [home, dir] = [makeTree(), makeTree(FILES)];
  expect(take(home, dir, `sha256:${'0'.repeat(64)}`)).toBe('NOT_TRUSTED');
  expect(take(home, dir, '../../elsewhere')).toBe('NOT_TRUSTED');
});

test.each([
  ['a file', (dir: string) => writeFileSync(join(dir, 'SKILL.md'), 'texu')],
  ['a package', (dir: string) => writeFileSync(join(dir, 'node_modules/b/index.js'), '2')],
  ['a permission', (dir: string) => chmodSync(join(dir, 'SKILL.md'), 0o755)],
  ['a link', (dir: string) => symlinkSync('/etc/passwd', join(dir, 'link'))],
])('a skill gets no trusted copy after a change of %s, even right after a check', async (_, change) => {
  const [home, dir] = [makeTree(), makeTree(FILES)];
  const digest = digestOf(dir);
  const copies = openTrustedCopies(home);
  expect(copies.take(dir, digest)).toMatchObject({ ok: true });
  // The stamps are known once they are older than a tick of the file system.
  await sleep(120);
  expect([copies.take(dir, digest).ok, copies.take(dir, digest).ok]).toEqual([true, true]);
  change(dir);
  expect(copies.take(dir, digest)).toMatchObject({ ok: false, code: 'NOT_TRUSTED' });
  expect(take(home, dir, digest)).toBe('NOT_TRUSTED');
});

test('a damaged trusted copy is created again', () => {
  const [home, dir] = [makeTree(), makeTree(FILES)];
  const digest = digestOf(dir);
  const copy = take(home, dir, digest);
  chmodSync(join(copy, 'SKILL.md'), 0o644);
  writeFileSync(join(copy, 'SKILL.md'), '');
  expect(take(home, dir, digest)).toBe(copy);
  expect(readFileSync(join(copy, 'SKILL.md'), 'utf8')).toBe('text');
});

test('the trusted copy is removed when its state is no longer trusted', () => {
  const [home, dir] = [makeTree(), makeTree(FILES)];
  const digest = digestOf(dir);
  const copy = take(home, dir, digest);
  openTrustedCopies(home).remove(digest);
  openTrustedCopies(home).remove('../..');
  expect(existsSync(copy)).toBe(false);
  expect(existsSync(home)).toBe(true);
});
