import { describe, expect, test } from 'vitest';

import type { FrontmatterValue } from '../../model/skill.ts';
import { editFields } from './edit-fields.ts';

const edit = (yaml: string, changes: Readonly<Record<string, FrontmatterValue | undefined>>): string => {
  const edited = editFields(yaml, new Map(Object.entries(changes)));
  if (!edited.ok) throw new Error(edited.message);
  return edited.yaml;
};

describe('editing frontmatter: a field', () => {
  test.for([
    ['that is new is added at the end', 'a: b\n', { c: 'd' }, 'a: b\nc: d\n'],
    ['is added to a text without a final line end', 'a: b', { c: 'd' }, 'a: b\nc: d\n'],
    ['keeps the comment behind it', 'a: b # why\nc: d\n', { a: 'x' }, 'a: x # why\nc: d\n'],
    [
      'keeps comments among its lines',
      'a:\n  - x # one\n  # two\n  - y\nb: c\n',
      { a: ['z'] },
      '# one\n# two\na: [z]\nb: c\n',
    ],
    ['of several lines is replaced whole', 'a: |\n  x\n\n  y\n\n# c\nb: c\n', { a: 'z' }, 'a: z\n\n# c\nb: c\n'],
    ['that wraps is replaced whole', 'a: x\n  y\nb: c\n', { a: 'z' }, 'a: z\nb: c\n'],
    ['that is empty gets a value', 'a:\nb: c\n', { a: 'z' }, 'a: z\nb: c\n'],
    [
      'is removed with its lines, and its comments are kept',
      'x: y\na:\n  - b # g\n  - c\nd: e # f\n',
      { a: undefined, d: undefined },
      'x: y\n# g\n# f\n',
    ],
    ['that does not exist can be removed', 'a: b\n', { z: undefined }, 'a: b\n'],
    ['with CRLF keeps it', 'a: b\r\nc: d\r\n', { a: ['x', 'z'], e: 'f' }, 'a: [x, z]\r\nc: d\r\ne: f\r\n'],
    ['is changed alone among duplicate fields', 'a: b\nc: d\na: e\n', { c: 'x' }, 'a: b\nc: x\na: e\n'],
    ['that already has the value is kept as written', "a: 'b'\n", { a: 'b' }, "a: 'b'\n"],
  ] as const)('%s', ([, yaml, changes, expected]) => {
    expect(edit(yaml, changes)).toBe(expected);
  });

  test('that is a mapping gets new lines if possible, else it is rewritten', () => {
    const grown = new Map<string, FrontmatterValue>([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(edit('m: # n\n    a: b # x\ne: f\n', { m: grown })).toBe('m: # n\n    a: b # x\n    c: d\ne: f\n');
    expect(edit('m:\n  {\n    a: b\n  }\ne: f\n', { m: grown })).toBe('m:\n  a: b\n  c: d\ne: f\n');
  });

  test('is written in the usual style', () => {
    const value = new Map<string, FrontmatterValue>([
      ['author', 'Ann'],
      ['count', '1'],
    ]);
    expect(
      edit('', { description: 'Fill PDF forms, and more.', version: '1.0', tags: ['pdf', 'a,b'], metadata: value }),
    ).toBe(
      'description: Fill PDF forms, and more.\nversion: "1.0"\ntags: [pdf, "a,b"]\nmetadata:\n  author: Ann\n  count: "1"\n',
    );
    const long = Array.from({ length: 30 }, (_, index) => `keyword-${index}`);
    expect(edit('', { tags: long })).toBe(`tags:\n${long.map((tag) => `  - ${tag}\n`).join('')}`);
  });
});

test.each([
  ['that ends before a new field would', 'a: b\n...\n'],
  ['whose fields stand in braces', '{a: b}\n'],
])('an edit of frontmatter %s is refused', (_, yaml) => {
  expect(editFields(yaml, new Map([['c', 'd']]))).toEqual({
    ok: false,
    code: 'PARSE_FAILED',
    message: 'the frontmatter cannot be edited safely',
    next: { advice: 'Edit it by hand.' },
  });
});

test('frontmatter that cannot be read is not edited', () => {
  expect(editFields('a: [', new Map([['a', 'b']]))).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
  expect(editFields('a: &x 1\nb: *x\n', new Map([['a', 'b']]))).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
});
