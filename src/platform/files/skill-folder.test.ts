import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { MAX_FOLDER_DEPTH } from '../../model/limits.ts';
import { openSkillFolder } from './skill-folder.ts';

describe('the folder of a skill', () => {
  test('is a directory, missing, or something else', () => {
    const dir = makeTree({ 'skill/': '', file: '', linked: link('skill') });
    expect(openSkillFolder(join(dir, 'skill')).state()).toBe('directory');
    expect(openSkillFolder(join(dir, 'linked')).state()).toBe('directory');
    expect(openSkillFolder(join(dir, 'missing')).state()).toBe('missing');
    expect(openSkillFolder(join(dir, 'file')).state()).toBe('not-directory');
  });

  test('gives its names sorted, and none if it is not a directory', () => {
    const dir = makeTree({ 'b/': '', a: '', '.hidden': '' });
    expect(openSkillFolder(dir).names()).toEqual(['.hidden', 'a', 'b']);
    expect(openSkillFolder(join(dir, 'missing')).names()).toEqual([]);
  });

  test('lists every regular file with size and executable bit, and names what it refuses', () => {
    const dir = makeTree({
      'SKILL.md': 'text',
      'scripts/run.sh': '#!/bin/sh\n',
      'scripts/.hidden': '',
      'link.md': link('SKILL.md'),
      outside: link('/etc'),
    });
    makeFifo(join(dir, 'pipe'));
    const { files, refused } = openSkillFolder(dir).files();
    expect(files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'SKILL.md', size: 4, executable: false },
      { path: 'scripts/.hidden', size: 0, executable: false },
      { path: 'scripts/run.sh', size: 10, executable: true },
    ]);
    expect(refused).toEqual([
      { path: 'link.md', kind: 'link', reason: 'is a link' },
      { path: 'outside', kind: 'link', reason: 'is a link' },
      { path: 'pipe', kind: 'special', reason: 'is not a regular file' },
    ]);
  });

  test('stops at its depth limit and says so', () => {
    const deepest = Array.from({ length: MAX_FOLDER_DEPTH }, () => 'd').join('/');
    const dir = makeTree({ [`${deepest}/file`]: '' });
    expect(openSkillFolder(dir).files()).toEqual({
      files: [],
      refused: [{ path: deepest, kind: 'too-deep', reason: `is nested deeper than ${MAX_FOLDER_DEPTH} levels` }],
    });
  });

  test('reads files only within the size limit and not through links that leave it', () => {
    const dir = makeTree({ 'skill/a': 'text', 'skill/out': link('../secret'), secret: 'foreign' });
    const folder = openSkillFolder(join(dir, 'skill'));
    expect(folder.read('a', 10)).toMatchObject({ ok: true, bytes: Buffer.from('text') });
    expect(folder.read('a', 3)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(folder.read('out', 10)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });

  test('that is a link to a directory is read as that directory', () => {
    const dir = makeTree({ 'real/a': 'text', linked: link('real') });
    expect(openSkillFolder(join(dir, 'linked')).read('a', 10)).toMatchObject({ ok: true, bytes: Buffer.from('text') });
  });
});
