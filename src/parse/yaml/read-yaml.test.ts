import { describe, expect, test } from 'vitest';

import type { FrontmatterValue } from '../../model/skill.ts';
import { toPlain } from '../fields.ts';
import { examineYaml } from './examine-yaml.ts';
import { readMapping, readYaml } from './read-yaml.ts';

function values(yaml: string): unknown {
  const { map, faults } = readYaml(yaml);
  expect(faults).toEqual([]);
  return map === undefined ? undefined : toPlain(map);
}

describe('a YAML scalar', () => {
  test.each([
    ['1.0', '1.0'],
    ['123', '123'],
    ['12345678901234567890', '12345678901234567890'],
    ['0x1F', '0x1F'],
    ['1e3', '1e3'],
    ['0o17', '0o17'],
    ['.5', '.5'],
    ['+1', '+1'],
    ['true', 'true'],
    ['No', 'No'],
    ['2024-01-01', '2024-01-01'],
    ['.inf', '.inf'],
    ['!!int 3', '3'],
    ['"1.0"', '1.0'],
    ["'it''s'", "it's"],
    ['"a\\tb \\u00e9"', 'a\tb é'],
    ['"~"', '~'],
    ["'null'", 'null'],
    ["''", ''],
    ['use C #1', 'use C'],
    ['a\u00a0#b', 'a\u00a0#b'],
  ])('is read as its source text: %s is %j', (source, text) => {
    expect(values(`x: ${source}\n`)).toEqual({ x: text });
  });

  test.each(['~', 'null', 'Null', 'NULL', ''])('has no value if it is %j', (source) => {
    expect(values(`x: ${source}\n`)).toEqual({ x: null });
  });

  test.each([
    ['literal', '|\n  a\n   b\n\n  c\n', 'a\n b\n\nc\n'],
    ['literal, stripped', '|-\n  a\n', 'a'],
    ['literal, kept', '|+\n  a\n\n', 'a\n\n'],
    ['folded', '>\n  a\n  b\n\n  c\n', 'a b\nc\n'],
    ['with an indentation digit', '|2\n   a\n', ' a\n'],
    ['plain over lines', 'a\n  b\n  c\n', 'a b c'],
    ['double-quoted over lines', '"a\n  b"\n', 'a b'],
  ])('is read as its text if it is %s', (_, source, text) => {
    expect(values(`x: ${source}`)).toEqual({ x: text });
  });
});

test('YAML lists and mappings may nest in block and flow style and keep their order', () => {
  const yaml = 'z: [1.0, {b: 2}]\na:\n  - x\n  -\n  - y: [~]\nm:\n  k: v\n';
  expect(values(yaml)).toEqual({ z: ['1.0', { b: '2' }], a: ['x', null, { y: [null] }], m: { k: 'v' } });
  expect([...(readYaml(yaml).map?.keys() ?? [])]).toEqual(['z', 'a', 'm']);
});

test.each(['', '\n', '# only a comment\n', '""\n'])('the YAML text %j is an empty mapping', (yaml) => {
  expect(readYaml(yaml)).toEqual({ map: new Map(), faults: [] });
});

test('a YAML key is read as its source text, whatever it looks like', () => {
  expect(values('1: a\ntrue: b\n1.0: c\nnull: d\n')).toEqual({ '1': 'a', true: 'b', '1.0': 'c', null: 'd' });
});

describe('YAML frontmatter', () => {
  test.each([
    ['broken text', 'a: b\nc: [d\n', { kind: 'syntax', line: 3 }],
    ['an unquoted colon', 'a: b\nc: d: e\n', { kind: 'syntax', line: 2 }],
    ['a tab as indentation', 'a:\n\tb: c\n', { kind: 'syntax', line: 2 }],
    ['two documents', 'a: b\n--- x\n', { kind: 'syntax', line: 2 }],
    ['a list', '- a\n- b\n', { kind: 'not-mapping', line: 1 }],
    ['a text', 'just text\n', { kind: 'not-mapping', line: 1 }],
    ['one harmless alias', 'a: &x b\nc: *x\n', { kind: 'alias', line: 2 }],
    ['an alias as a key', 'a: &x b\n*x : c\n', { kind: 'alias', line: 2 }],
    ['an alias without an anchor', 'a: b\nc: *x\n', { kind: 'alias', line: 2 }],
  ])('is refused with kind and line for %s', (_, yaml, fault) => {
    expect(readYaml(yaml)).toEqual({ faults: [expect.objectContaining(fault)] });
  });

  test('is refused without expansion if it is an alias bomb', () => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const value =
        at === 0
          ? '["lol", "lol"]'
          : `[${Array(9)
              .fill(`*l${at - 1}`)
              .join(', ')}]`;
      return `l${at}: &l${at} ${value}\n`;
    });
    expect(readYaml(levels.join(''))).toEqual({
      faults: [{ kind: 'alias', message: 'aliases (*name) are not allowed', line: 2 }],
    });
  });

  test('is not refused for an anchor without an alias', () => {
    expect(values('a: &x b\n')).toEqual({ a: 'b' });
  });

  test('is refused if it is nested more than 64 levels deep', () => {
    expect(readYaml(`a: ${'['.repeat(60)}${']'.repeat(60)}\n`).faults).toEqual([]);
    expect(readYaml(`a: ${'['.repeat(70)}${']'.repeat(70)}\n`)).toEqual({
      faults: [{ kind: 'too-deep', message: 'nested too deeply', line: 1 }],
    });
  });

  test.each([
    ['10,000 brackets that close', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`],
    ['10,000 brackets that do not close', `a: ${'['.repeat(10_000)}\n`],
    ['10,000 braces', `a: ${'{'.repeat(10_000)}\n`],
    ['5,000 dashes', `a:\n  ${'- '.repeat(5_000)}b\n`],
    ['300 levels of mapping', Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  ])('is refused as nested too deeply, without an internal parser error: %s', (_, yaml) => {
    const { map, faults } = readYaml(yaml);
    expect(map).toBeUndefined();
    expect(faults).toEqual([expect.objectContaining({ kind: 'too-deep', message: 'nested too deeply' })]);
  });
});

describe('a faulty key in YAML frontmatter', () => {
  test('that is a duplicate is reported with its line, and the first value counts', () => {
    expect(readYaml('name: a\nx: y\nname: b\n')).toEqual({
      map: new Map([
        ['name', 'a'],
        ['x', 'y'],
      ]),
      faults: [{ kind: 'duplicate-key', key: 'name', line: 3, message: 'the field "name" is given twice' }],
    });
  });

  test('that is a duplicate in a nested mapping is reported', () => {
    const { map, faults } = readYaml('m:\n  k: 1\n  k: 2\n');
    expect(map?.get('m')).toEqual(new Map([['k', '1']]));
    expect(faults).toEqual([expect.objectContaining({ kind: 'duplicate-key', key: 'k', line: 3 })]);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('named %s is dropped at every depth and reported', (key) => {
    const { map, faults } = readYaml(`${key}: a\nm:\n  ${key}: {polluted: yes}\n  k: v\nl:\n  - "${key}": b\n`);
    const expected: [string, FrontmatterValue][] = [
      ['m', new Map([['k', 'v']])],
      ['l', [new Map()]],
    ];
    expect(map).toEqual(new Map(expected));
    expect(faults.map(({ kind, key: named, line }) => [kind, named, line])).toEqual([
      ['refused-key', key, 1],
      ['refused-key', key, 3],
      ['refused-key', key, 6],
    ]);
  });

  test('that is a list or a mapping is dropped and reported', () => {
    expect(readYaml('? [a]\n: b\nc: d\n')).toEqual({
      map: new Map([['c', 'd']]),
      faults: [{ kind: 'refused-key', message: 'a field name must be a plain word', line: 1 }],
    });
  });

  test('is looked for without slowing down at 16,000 keys', () => {
    const yaml = Array.from({ length: 16_000 }, (_, at) => `k${at}: v\n`).join('');
    expect(readYaml(yaml).map?.size).toBe(16_000);
  });
});

describe('js-yaml', () => {
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
    ['a quoted key, and one with a blank', '"a": b\nc d: e\n', { a: 'b', 'c d': 'e' }],
    ['lists in lists and empty items', 'a:\n  - - b\n  -\n', { a: [['b'], null] }],
    ['nothing', '', {}],
    ['a pair in a flow list', 'a: [b: c]\n', { a: [{ b: 'c' }] }],
    ['a comment inside brackets', 'a: [b, # c\n  d]\n', { a: ['b', 'd'] }],
  ])('reads the same values as the parser that examines faults: %s', (_, yaml, plain) => {
    const map = readMapping(yaml);
    expect(map && toPlain(map)).toEqual(plain);
    expect(examineYaml(yaml)).toEqual({ map, faults: [] });
  });
});

describe('js-yaml', () => {
  test.each([
    ['an unquoted colon', 'a: b: c\n'],
    ['a leading indicator', 'a: @b\n'],
    ['an alias', 'a: &b c\nd: *b\n'],
    ['an anchor', 'a: &b c\n'],
    ['an anchor before a nested mapping', 'a: &b c: d\n'],
    ['a tag', 'a: !!str b\n'],
    ['a tag of its own, in a list', 'a: [!mine b]\n'],
    ['a bracket that does not close', 'a: [b\n'],
    ['a bracket at the column of its key', 'a: {\n  b: c\n}\n'],
    ['a duplicate key', 'a: b\na: c\n'],
    ['a duplicate key in a mapping', 'm:\n  a: b\n  a: c\n'],
    ['a key that is no text', 'null: a\n'],
    ['a control character', 'a: b\u0001c\n'],
    ['two documents', 'a: b\n...\nc: d\n'],
    ['__proto__', '__proto__: a\n'],
    ['constructor in a mapping', 'm:\n  constructor: a\n'],
    ['a list of texts', '- a\n'],
    ['nothing but a comment', '# a\n'],
  ])('leaves to the parser that examines faults: %s', (_, yaml) => {
    expect(readMapping(yaml)).toBeUndefined();
    expect(readYaml(yaml)).toEqual(examineYaml(yaml));
  });
});
