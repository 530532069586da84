import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { memoryFolder, type MemoryFolderOptions } from '../../test/support/memory-folder.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { digestFolder, type SkillDigest } from './digest.ts';

const TREE = { 'SKILL.md': '# Title\n', 'scripts/run.sh': '#!/bin/sh\n', 'references/a.md': 'a' };

function digest(files: Readonly<Record<string, string | Uint8Array>>, options: MemoryFolderOptions = {}): SkillDigest {
  const outcome = digestFolder(memoryFolder(files, options));
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

describe('the digest of a skill', () => {
  test('is the hash of a listing that anyone can reproduce', () => {
    const { digest: whole } = digest({ b: 'two', a: '1' }, { executable: ['b'] });
    const listing = `skillplane-tree-v1\n1:a-1:${sha256('1')}\n1:bx3:${sha256('two')}\n`;
    expect(whole).toBe(`sha256:${sha256(listing)}`);
  });

  test("comes with each file's path, digest and size, sorted by the bytes of the path", () => {
    const { files } = digest({ 'b.md': 'é', 'a/z': '', 'a.md': 'x', Z: '', é: '', '\u{1F600}': '', '\uFFFD': '' });
    expect(files.map(({ path }) => path)).toEqual(['Z', 'a.md', 'a/z', 'b.md', 'é', '\uFFFD', '\u{1F600}']);
    expect(files[3]).toEqual({ path: 'b.md', digest: `sha256:${sha256('é')}`, size: 2 });
  });

  test('does not depend on the order in which files are found', () => {
    const reversed = Object.fromEntries(Object.entries(TREE).toReversed());
    expect(digest(reversed)).toEqual(digest(TREE));
  });

  test('is the same for composed and decomposed names', () => {
    const composed = digest({ 'r\u00e9f/caf\u00e9.md': 'x' });
    expect(digest({ 're\u0301f/cafe\u0301.md': 'x' })).toEqual(composed);
    expect(composed.files[0]?.path).toBe('r\u00e9f/caf\u00e9.md');
  });

  test('of an empty folder is the digest of an empty listing', () => {
    expect(digest({})).toEqual({ ok: true, digest: `sha256:${sha256('skillplane-tree-v1\n')}`, files: [] });
  });
});

describe('the digest of a skill', () => {
  test.each<[string, Record<string, string>, MemoryFolderOptions]>([
    ['one byte of content', { ...TREE, 'references/a.md': 'b' }, {}],
    ['a file more', { ...TREE, 'references/b.md': '' }, {}],
    ['a file less', { 'SKILL.md': TREE['SKILL.md'], 'scripts/run.sh': TREE['scripts/run.sh'] }, {}],
    [
      'another name',
      { 'SKILL.md': TREE['SKILL.md'], 'scripts/run.sh': TREE['scripts/run.sh'], 'references/A.md': 'a' },
      {},
    ],
    ['another folder', { 'SKILL.md': TREE['SKILL.md'], 'run.sh': TREE['scripts/run.sh'], 'references/a.md': 'a' }, {}],
    ['an executable bit', TREE, { executable: ['scripts/run.sh'] }],
    ['contents that swap places', { ...TREE, 'SKILL.md': 'a', 'references/a.md': TREE['SKILL.md'] }, {}],
  ])('changes with %s', (_, files, options) => {
    expect(digest(files, options).digest).not.toBe(digest(TREE).digest);
  });

  test('changes even if bytes move between a path and its content', () => {
    const trees = [{ ab: 'c' }, { a: 'bc' }, { abc: '' }, { a: 'b', c: '' }, { a: '', b: 'c' }, { a: '', bc: '' }];
    expect(new Set(trees.map((tree) => digest(tree).digest)).size).toBe(trees.length);
  });

  test('changes even if one path imitates the listing of two files', () => {
    const imitation = `a-0:${sha256('')}\n1:b`;
    expect(digest({ [imitation]: '' }).digest).not.toBe(digest({ a: '', b: '' }).digest);
  });

  test('is the same for two trees exactly if the trees are the same', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'x', ':', '1', '\n'), minLength: 1, maxLength: 3 });
    const tree = fc.dictionary(name, fc.tuple(fc.constantFrom('', 'a', '1:'), fc.boolean()), { maxKeys: 3 });
    const digestOf = (files: Record<string, [string, boolean]>): string => {
      const contents = Object.fromEntries(Object.entries(files).map(([path, [content]]) => [path, content]));
      const executable = Object.keys(files).filter((path) => files[path]?.[1]);
      return digest(contents, { executable }).digest;
    };
    const canonical = (files: Record<string, [string, boolean]>): string =>
      JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
    fc.assert(
      fc.property(tree, tree, (left, right) => {
        expect(digestOf(left) === digestOf(right)).toBe(canonical(left) === canonical(right));
      }),
      { numRuns: propertyRuns(2_000), seed: 7 },
    );
  });
});

describe('a folder', () => {
  test.for([
    ['if it does not exist', {}, { state: 'missing' }, 'SKILL_NOT_FOUND', 'not a directory'],
    ['if it is a file', {}, { state: 'not-directory' }, 'SKILL_NOT_FOUND', 'not a directory'],
    [
      'if it contains a link',
      TREE,
      { refused: [{ path: 'x', kind: 'link', reason: 'is a link' }] },
      'PATH_REFUSED',
      'x is a link',
    ],
    [
      'if two names are the same after NFC',
      { '\u00e9': 'a', 'e\u0301': 'a' },
      {},
      'PATH_REFUSED',
      'two files are called é',
    ],
    ['if a file is too large', { big: Buffer.alloc(MAX_RESOURCE_BYTES + 1) }, {}, 'PATH_REFUSED', 'big'],
  ] as const)('has no digest %s', ([, files, options, code, words]) => {
    const outcome = digestFolder(memoryFolder(files, options));
    expect(outcome).toEqual({ ok: false, code, message: expect.stringContaining(words) });
  });
});
