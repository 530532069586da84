import { describe, expect, test } from 'vitest';

import { findNameFaults, foldName, isFolderName, isSameName } from './name-rules.ts';

test.each(['pdf', 'pdf-forms', '技能', '404'])('%s is a valid folder name for a skill', (name) => {
  expect(isFolderName(name)).toBe(true);
});

test.each([
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  ' a',
  'a\n',
  '\0',
  'A',
  '.git',
  'ﬁle',
  'cafe\u0301',
  '．．',
  'x'.repeat(65),
])('%j is not a valid folder name for a skill', (name) => {
  expect(isFolderName(name)).toBe(false);
});

describe('checking a skill name', () => {
  test.each(['pdf', 'pdf-forms', '3d', 'a', '123', '技能', 'мой-навык', 'x'.repeat(64), 'cafe\u0301', 'ﬁle', '٣'])(
    'finds no fault in %s',
    (name) => {
      expect(findNameFaults(name)).toEqual([]);
    },
  );

  test.each([
    ['x'.repeat(65), ['the name exceeds the 64 character limit (65 characters)']],
    ['PDF', ['the name "PDF" must be lowercase']],
    ['НАВЫК', ['the name "НАВЫК" must be lowercase']],
    ['-pdf', ['the name cannot start or end with a hyphen']],
    ['pdf-', ['the name cannot start or end with a hyphen']],
    ['a--b', ['the name cannot contain consecutive hyphens']],
    ['my_skill', ['the name "my_skill" contains invalid characters: only letters, digits and hyphens are allowed']],
  ])('finds exactly the faults of %s', (name, faults) => {
    expect(findNameFaults(name)).toEqual(faults);
  });

  test.each(['a b', 'a.b', 'a/b', '../x', 'a\u200bb', 'a😀', 'a\nb', 'a:b'])(
    'finds invalid characters in %j',
    (name) => {
      expect(findNameFaults(name)).toEqual([expect.stringContaining('contains invalid characters')]);
    },
  );

  test('finds all faults at once, in the order of the reference tool', () => {
    expect(findNameFaults(`-My__Skill--${'x'.repeat(60)}`)).toEqual([
      'the name exceeds the 64 character limit (72 characters)',
      expect.stringContaining('must be lowercase'),
      'the name cannot start or end with a hyphen',
      'the name cannot contain consecutive hyphens',
      expect.stringContaining('contains invalid characters'),
    ]);
  });

  test('counts the length in code points after NFKC', () => {
    expect(findNameFaults('e\u0301'.repeat(64))).toEqual([]);
    expect(findNameFaults('e\u0301'.repeat(65))).toEqual(['the name exceeds the 64 character limit (65 characters)']);
    expect(findNameFaults('𠮷'.repeat(64))).toEqual([]);
  });

  test('ignores blanks around the name', () => {
    expect(findNameFaults(' pdf ')).toEqual([]);
  });
});

describe('a skill name and its directory', () => {
  test.each([
    ['pdf', 'pdf', true],
    ['cafe\u0301', 'caf\u00e9', true],
    ['caf\u00e9', 'cafe\u0301', true],
    ['ﬁle', 'file', true],
    [' pdf ', 'pdf', true],
    ['pdf', 'PDF', false],
    ['pdf', 'pdf ', false],
  ])('are compared after NFKC: %j in the directory %j is equal: %j', (name, directory, isEqual) => {
    expect(isSameName(name, directory)).toBe(isEqual);
  });
});

test.each([
  ['pdf', 'pdf'],
  ['PDF', 'pdf'],
  ['Cafe\u0301', 'caf\u00e9'],
  ['ﬁle', 'file'],
  ['НАВЫК', 'навык'],
])('the skill name %j folds to %j, so names that differ only in case or Unicode form are the same', (name, folded) => {
  expect(foldName(name)).toBe(folded);
});
