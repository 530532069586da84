import { describe, expect, test } from 'vitest';

import { toPlain } from '../fields.ts';
import { readSimpleYaml } from './simple-yaml.ts';
import { readYaml } from './yaml.ts';

describe('the fast YAML reader reads the same values as the YAML parser', () => {
  test.each<[string, string, unknown]>([
    ['plain scalars', 'name: pdf\nversion: 1.0\n', { name: 'pdf', version: '1.0' }],
    ['a colon inside a word', 'url: https://a.b/c:d\n', { url: 'https://a.b/c:d' }],
    ['quotes', "a: \"b: c # d\"\nb: 'it''s'\nc: \"\"\nd: ''\n", { a: 'b: c # d', b: "it's", c: '', d: '' }],
    ['null in its spellings', 'a:\nb: ~\nc: null\nd: NULL\n', { a: null, b: null, c: null, d: null }],
    ['a wrapped plain scalar', 'a: one\n  two\n   three\nb: c\n', { a: 'one two three', b: 'c' }],
    ['a literal block', 'a: |\n  one\n   two\n\n  three\n\nb: c\n', { a: 'one\n two\n\nthree\n', b: 'c' }],
    ['a folded block', 'a: >\n  one\n  two\n\n\n  three\n', { a: 'one two\n\nthree\n' }],
    ['stripped blocks', 'a: |-\n  one\nb: >-\n  two\n  three\n', { a: 'one', b: 'two three' }],
    ['a block list', 'a:\n  - b\n  - "c: d"\n  - ~\ne:\n- f\n', { a: ['b', 'c: d', null], e: ['f'] }],
    ['a flow list', 'a: [b c, "d", \'e\']\nf: []\n', { a: ['b c', 'd', 'e'], f: [] }],
    ['a mapping', 'm:\n  author: me\n  version: 1.0\nx: y\n', { m: { author: 'me', version: '1.0' }, x: 'y' }],
    ['comments and blank lines', '# a\n\nname: pdf\n   \n# b\n', { name: 'pdf' }],
    ['blanks that are not YAML’s', 'a: b\u00a0\nc: \u4e2d\u3000\u6587\n', { a: 'b\u00a0', c: '\u4e2d\u3000\u6587' }],
    ['a comment behind a value', 'a: b # c\nd: "e" # f\ng: [h] # i\nj: # k\n', { a: 'b', d: 'e', g: ['h'], j: null }],
    ['a hash inside a word', 'a: b#c\n', { a: 'b#c' }],
    ['indented comments', 'a:\n    # b\n  - c # d\n  # e\n  - f\n', { a: ['c', 'f'] }],
    ['escapes', String.raw`a: "b\n\"c\" \\ \u00e9 \ud83d\udca1 \U0001F4C8"` + '\n', { a: 'b\n"c" \\ é 💡 📈' }],
    ['a quote over lines', 'a: "b\n  c\n\n  d"\ne: \'f\n\n  \'\n', { a: 'b c\nd', e: 'f\n' }],
    ['text below its key', 'a:\n  b "c",\n  "d", [e]\n\n  f\n', { a: 'b "c", "d", [e]\nf' }],
    ['a flow mapping', 'a: {b: c, "d":"e", f: {g: []}}\n', { a: { b: 'c', d: 'e', f: { g: [] } } }],
    ['a flow list over lines', 'a: [b,\n  [c], T(d:e),\n  ]\n', { a: ['b', ['c'], 'T(d:e)'] }],
    ['brackets below their key', 'a:\n  {\n    "b": ["c"]\n  }\n', { a: { b: ['c'] } }],
    ['a mapping in a list', 'a:\n  - b: c\n    d:\n      - e\n  - f\n', { a: [{ b: 'c', d: ['e'] }, 'f'] }],
    ['a mapping in a mapping', 'a:\n  b:\n    c: d\n  e: f\n', { a: { b: { c: 'd' }, e: 'f' } }],
    ['a folded block with deeper lines', 'a: >\n  b\n    c\n\n  d  \n  e\n', { a: 'b\n  c\n\nd   e\n' }],
    ['blanks that are not YAML’s in brackets', 'a: [b\u00a0]\n', { a: ['b\u00a0'] }],
    ['nothing', '', {}],
  ])('%s', (_, yaml, plain) => {
    const map = readSimpleYaml(yaml);
    expect(map && toPlain(map)).toEqual(plain);
    expect(readYaml(yaml)).toEqual({ map, faults: [] });
  });
});

describe('the fast YAML reader leaves to the YAML parser', () => {
  test.each([
    ['an unquoted colon', 'a: b: c\n'],
    ['a leading indicator', 'a: @b\n'],
    ['an alias', 'a: *b\n'],
    ['an anchor', 'a: &b c\n'],
    ['a tag', 'a: !!str b\n'],
    ['an unusual escape', 'a: "b\\e"\n'],
    ['a comment without a blank before it', 'a: "b"#c\n'],
    ['text that goes on behind a comment', 'a: b # c\n  d\n'],
    ['a bracket that does not close', 'a: [b\n'],
    ['a bracket that closes before the text does', 'a: [b] c\n'],
    ['a pair in a flow list', 'a: [b: c]\n'],
    ['a comment inside brackets', 'a: [b, # c\n  d]\n'],
    ['a bracket at the column of its key', 'a: {\n  b: c\n}\n'],
    ['a key in brackets that is given twice', 'a: {b: c, b: d}\n'],
    ['lines between two indentations', 'a:\n    b: c\n  d: e\n'],
    ['text after a quote', 'a: "b" c\n'],
    ['a quote that does not close', 'a: "b\n'],
    ['a list in a list', 'a:\n  - - b\n'],
    ['a list with an empty item', 'a:\n- b\n-\n'],
    ['a block header with a digit', 'a: |2\n   b\n'],
    ['a block that keeps its end', 'a: |+\n  b\n'],
    ['a duplicate key', 'a: b\na: c\n'],
    ['a duplicate key in a mapping', 'm:\n  a: b\n  a: c\n'],
    ['a tab', 'a:\tb\n'],
    ['a line separator', 'a: b\u2028c\n'],
    ['a quoted key', '"a": b\n'],
    ['a key with a blank', 'a b: c\n'],
    ['an indented first line', '  a: b\n'],
    ['a stray line', 'a: b\nc\n'],
    ['__proto__', '__proto__: a\n'],
    ['constructor in a mapping', 'm:\n  constructor: a\n'],
    ['a list of texts', '- a\n'],
  ])('%s', (_, yaml) => {
    expect(readSimpleYaml(yaml)).toBeUndefined();
  });

  test('a key that means null to the whole parser', () => {
    for (const yaml of ['null: a\n', 'm:\n  Null: a\n']) {
      const map = readSimpleYaml(yaml);
      expect([undefined, readYaml(yaml).map]).toContainEqual(map);
    }
  });

  test('a key longer than YAML allows', () => {
    expect(readSimpleYaml(`${'k'.repeat(1_025)}: v\n`)).toBeUndefined();
  });
});
