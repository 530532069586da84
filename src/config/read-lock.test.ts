import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree } from '../../test/support/tree.ts';
import type { LockedSkill } from '../model/lock.ts';
import { readLock } from './read-lock.ts';
import { renderLock } from './render-lock.ts';

const DIGEST = `sha256:${'1'.repeat(64)}`;
const SKILL: LockedSkill = {
  name: 'pdf',
  origin: { kind: 'directory', url: '/srv/x' },
  path: '',
  digest: DIGEST,
  files: [],
};

test('a missing lockfile is read as empty, and nothing is written', async () => {
  const dir = makeTree();
  expect(await readLock(join(dir, 'skills-lock.yaml'), dir)).toEqual({ ok: true, skills: [] });
  expect(readdirSync(dir)).toEqual([]);
});

test('a lockfile as we write it is read without a cache', async () => {
  const dir = makeTree({ 'skills-lock.yaml': renderLock([SKILL]) });
  expect(await readLock(join(dir, 'skills-lock.yaml'), dir)).toEqual({ ok: true, skills: [SKILL] });
  expect(readdirSync(dir)).toEqual(['skills-lock.yaml']);
});

test('a lockfile edited by hand is cached until its text changes', async () => {
  const dir = makeTree({ 'skills-lock.yaml': `# By hand.\n${renderLock([SKILL])}` });
  const file = join(dir, 'skills-lock.yaml');
  const first = await readLock(file, dir);
  expect(first).toMatchObject({ ok: true, skills: [SKILL] });
  expect(readdirSync(join(dir, 'cache'))).toHaveLength(1);
  expect(await readLock(file, dir)).toEqual(first);
  writeFileSync(file, renderLock([{ ...SKILL, name: 'docx' }]));
  expect(await readLock(file, dir)).toMatchObject({ ok: true, skills: [{ name: 'docx' }] });
});

test('an invalid lockfile is a failure with its line each time, and stays unchanged', async () => {
  const text = 'version: 1\nskills:\n  pdf:\n    url: 1\n';
  const dir = makeTree({ 'skills-lock.yaml': text });
  const file = join(dir, 'skills-lock.yaml');
  for (let time = 0; time < 2; time += 1)
    expect(await readLock(file, dir)).toMatchObject({
      ok: false,
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`${file}:4: skills.pdf.url: `),
    });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a folder in place of the lockfile is a failure', async () => {
  const dir = makeTree({ 'skills-lock.yaml/': '' });
  expect(await readLock(join(dir, 'skills-lock.yaml'), dir)).toMatchObject({ ok: false });
});
