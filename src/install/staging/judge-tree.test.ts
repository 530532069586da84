import { expect, test } from 'vitest';

import { MAX_PLUGIN_FILE_BYTES } from '../../model/limits.ts';
import type { TreeEntry } from '../../platform/repository/repository.ts';
import { judgeTree, MAX_PLUGIN_BYTES, MAX_PLUGIN_FILES } from './judge-tree.ts';

function entry(path: string, given: Partial<TreeEntry> = {}): TreeEntry {
  return { path, kind: 'file', executable: false, size: 1, id: path, ...given };
}

function faults(paths: readonly string[]): readonly string[] {
  return judgeTree(paths.map((path) => entry(path))).faults.map(({ path }) => path);
}

test('regular files with safe paths are accepted for installation unchanged', () => {
  const entries = [
    entry('SKILL.md'),
    entry('scripts/run.sh', { executable: true }),
    entry('a/b c/ü-🙂.md'),
    entry('.env'),
  ];
  expect(judgeTree(entries)).toEqual({ files: entries, faults: [], leftOut: [] });
});

test('only the requested folder of a repository is judged, and its paths are relative to that folder', () => {
  const entries = [entry('skills/pdf/SKILL.md'), entry('skills/pdf-evil/x', { kind: 'link' }), entry('con')];
  expect(judgeTree(entries, 'skills/pdf')).toMatchObject({ files: [{ path: 'SKILL.md' }], faults: [] });
});

test('a link or special file refuses the whole skill; a submodule is left out and reported', () => {
  expect(judgeTree([entry('SKILL.md'), entry('x', { kind: 'link' })])).toMatchObject({
    files: [],
    faults: [{ path: 'x' }],
  });
  expect(judgeTree([entry('SKILL.md'), entry('x', { kind: 'other' })])).toMatchObject({
    files: [],
    faults: [{ path: 'x' }],
  });
  expect(judgeTree([entry('SKILL.md'), entry('x', { kind: 'submodule', size: 0 })])).toMatchObject({
    files: [{ path: 'SKILL.md' }],
    faults: [],
    leftOut: [{ path: 'x' }],
  });
});

test('a skill is refused one file or one byte above the limits, and accepted exactly at them', () => {
  const many = Array.from({ length: MAX_PLUGIN_FILES }, (_, at) => entry(`f${at}`));
  expect(judgeTree(many).faults).toEqual([]);
  expect(judgeTree([...many, entry('x')])).toMatchObject({ files: [], faults: [{ path: '' }] });
  const [large, part] = [entry('a', { size: MAX_PLUGIN_FILE_BYTES }), MAX_PLUGIN_BYTES / MAX_PLUGIN_FILE_BYTES];
  expect(judgeTree([large]).faults).toEqual([]);
  expect(judgeTree([{ ...large, size: large.size + 1 }]).faults).toHaveLength(1);
  const full = Array.from({ length: part }, (_, at) => ({ ...large, path: `f${at}` }));
  expect(judgeTree(full).faults).toEqual([]);
  expect(judgeTree([...full, entry('x')]).faults).toMatchObject([{ path: '' }]);
});

const DEEP = Array.from({ length: 33 }, () => 'a').join('/');

test.each(
  [
    ['/x', '../x', 'a/../x', 'a//x', './x', 'a/', '', 'a\\x', 'C:/x', 'x\0'],
    ['a\u001b[31m', 'a\nb', 'a\u0085', 'a\u202eb', 'a\u200bb', 'a\u{e0041}', 'a\uFFFD'],
    ['.git/config', 'a/.GIT/x', '.git', '.git.', '.git ', '.git::$INDEX_ALLOCATION/x', 'git~1', 'GIT~1/x', 'git~2'],
    ['.g\u200cit/x', '.gi\ufefft', '.\u200dgit', '．git'],
    ['con', 'CON.txt', 'a/nul', 'aux.c/x', 'prn', 'COM1', 'lpt9.md', 'com¹', 'conin$', 'nul .txt'],
    ['a.', 'a ', 'a./b', 'a /b', 'a:b', 'x'.repeat(256), 'ü'.repeat(128), DEEP, `${'x'.repeat(250)}/`.repeat(17) + 'x'],
  ].flat(),
)('the path %j refuses the whole skill', (path) => {
  expect(faults(['SKILL.md', path])).toEqual([path]);
});

test.each([
  '.gitignore',
  '.github/x',
  '.gitmodules',
  'git',
  'gitx~1',
  'console.md',
  'com.md',
  'com10',
  'a.b',
  DEEP.slice(2),
  'x'.repeat(255),
  '👩‍💻.md',
])('the path %j is accepted in a skill', (path) => expect(faults(['SKILL.md', path])).toEqual([]));

test.each([
  ['SKILL.md', 'skill.md'],
  ['a/x', 'A/y'],
  ['a/b/x', 'a/B/y'],
  ['\u00e9', 'e\u0301'],
  ['ß', 'SS'],
  ['\u017f', 's'],
  ['K', '\u212a'],
  ['a', 'A/x'],
  ['a', 'a/x'],
  ['a/x', 'a'],
  ['a', 'a'],
])('a skill with the paths %j and %j is refused because they clash on some systems', (one, other) => {
  expect(faults([one, other])).toHaveLength(1);
});
