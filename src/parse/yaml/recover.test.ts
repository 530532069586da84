import { describe, expect, test } from 'vitest';

import { toPlain } from '../fields.ts';
import { readYaml } from './read-yaml.ts';
import { recoverYaml } from './recover.ts';

/** Returns the data of the recovered YAML. */
function recovered(yaml: string): unknown {
  expect(readYaml(yaml).faults).not.toEqual([]);
  const { map } = readYaml(recoverYaml(yaml).yaml);
  return map === undefined ? undefined : toPlain(map);
}

describe('a broken YAML value', () => {
  test.each([
    ['an unquoted colon', 'Use when: asked', 'Use when: asked'],
    ['several colons', 'Use: a: b: c', 'Use: a: b: c'],
    ['a colon at the end', 'a: b:', 'a: b:'],
    ['a leading @', '@claude do it', '@claude do it'],
    ['a leading backquote', '`pdf` files', '`pdf` files'],
    ['a leading %', '%s and more', '%s and more'],
    ['a leading *', '*all* files', '*all* files'],
    ['a lone *', '*', '*'],
    ['a leading !', '!a b: c', '!a b: c'],
    ['a leading &', '&a b: c', '&a b: c'],
    ['brackets side by side', '[file] [format]', '[file] [format]'],
    ['a bracket that does not close', '[invalid', '[invalid'],
    ['braces side by side', '{{name}} and more', '{{name}} and more'],
    ['text after a closing quote', '"PDF" tools', '"PDF" tools'],
    ['text after a closing apostrophe', "'PDF' tools", "'PDF' tools"],
    ['quotes inside quotes', '"fill "PDF" forms"', 'fill "PDF" forms'],
    ['a quote that does not close', '"fill forms', 'fill forms'],
    ['an apostrophe and a colon', "it's: good", "it's: good"],
    ['both quotes and a backslash', 'a "b": it\'s C:\\x', 'a "b": it\'s C:\\x'],
    ['a wrong escape', '"C:\\path"', 'C:\\path'],
    ['a comma after quotes', '"fill forms",', 'fill forms'],
    ['a comma between quotes', '"fill", "forms",', '"fill", "forms",'],
    ['a dash', '- a', '- a'],
    ['a question mark', '? a', '? a'],
  ])('is recovered as intended: %s', (_, source, text) => {
    expect(recovered(`name: demo\nx: ${source}\nlast: z\n`)).toEqual({ name: 'demo', x: text, last: 'z' });
  });

  test('is not cut at a Unicode line separator', () => {
    expect(recovered('x: Use when: one\u2028two\n')).toEqual({ x: 'Use when: one\u2028two' });
  });
});

describe('a broken YAML value over several lines', () => {
  test.each<[string, string, object]>([
    ['wrapped and indented', 'x: Use when: a\n  or: b\n', { x: 'Use when: a or: b' }],
    ['wrapped to column 0', 'x: Use this\nwhen you\nlike: it\ny: z\n', { x: 'Use this when you', like: 'it', y: 'z' }],
    ['with a colon in text at column 0', 'x: Use\nit when: a\nor b\ny: z\n', { x: 'Use it when: a or b', y: 'z' }],
    [
      'below the key',
      'x:\n  Use this skill when: a\n  or that\ny: z\n',
      { x: 'Use this skill when: a or that', y: 'z' },
    ],
    ['a block header without a block', 'x: >\nUse this\ny: z\n', { x: 'Use this', y: 'z' }],
    ['with blank lines inside', 'x: a: b\n\n  c\n\ny: z\n', { x: 'a: b c', y: 'z' }],
  ])('is joined: %s', (_, yaml, values) => {
    expect(recovered(yaml)).toEqual(values);
  });
});

describe('a broken YAML value inside another one', () => {
  test.each<[string, string, object]>([
    ['in metadata', 'metadata:\n  author: a: b\n  version: 1.0\n', { metadata: { author: 'a: b', version: '1.0' } }],
    ['two levels down', 'a:\n  b:\n    c: d: e\n    f: g\n', { a: { b: { c: 'd: e', f: 'g' } } }],
    ['list items', 'tags:\n  - @a\n  - `b`\n  - c\n', { tags: ['@a', '`b`', 'c'] }],
    ['list items at column 0', 'tags:\n- @a\n- b\nx: y\n', { tags: ['@a', 'b'], x: 'y' }],
    ['a field of a list item', 'a:\n  - b: c: d\n    e: f\n', { a: [{ b: 'c: d', e: 'f' }] }],
    ['under a quoted key', '"a b": c: d\n', { 'a b': 'c: d' }],
  ])('is recovered in place: %s', (_, yaml, values) => {
    expect(recovered(yaml)).toEqual(values);
  });

  test('is recovered even if it is indented with tabs', () => {
    expect(recovered('metadata:\n\tauthor: me\n\tversion: 1.0\n')).toEqual({
      metadata: { author: 'me', version: '1.0' },
    });
  });

  test.each([
    ['a key without the blank after its colon', 'name:pdf\ndescription: Fills forms.\n'],
    ['all keys without it', 'name:pdf\ndescription:Fills forms.\n'],
    ['a full-width colon', 'name：pdf\ndescription：Fills forms.\n'],
  ])('is recovered even below %s', (_, yaml) => {
    expect(recovered(yaml)).toEqual({ name: 'pdf', description: 'Fills forms.' });
  });
});

describe('each YAML fix', () => {
  test('names the line, the field and what to write, for fields, nested fields and list items', () => {
    const yaml = 'name: demo\nx: a: b\nm:\n  k: @c\nl:\n  - *d e\n';
    expect(recoverYaml(yaml).fixes).toEqual([
      { line: 2, field: 'x', rewritten: 'x: "a: b"' },
      { line: 4, field: 'k', rewritten: 'k: "@c"' },
      { line: 6, field: '', rewritten: '- "*d e"' },
    ]);
  });

  test('is written with the quotes that need least escaping', () => {
    const rewritten = (value: string): string | undefined => recoverYaml(`x: ${value}\n`).fixes[0]?.rewritten;
    expect(rewritten("it's: a")).toBe('x: "it\'s: a"');
    expect(rewritten('"a" b')).toBe('x: \'"a" b\'');
    expect(rewritten('"a" it\'s')).toBe("x: '\"a\" it''s'");
    expect(rewritten('a\\b: c')).toBe("x: 'a\\b: c'");
  });
});

describe('recovering YAML', () => {
  const broken = 'broken: a: b\n';

  test.each<[string, string, object]>([
    ['a plain scalar', 'k: v\n', { k: 'v' }],
    ['a quoted scalar', 'k: "a: b # c"\n', { k: 'a: b # c' }],
    ['a literal block', 'k: |\n  a: b\n  - c\n\n  @d\n', { k: 'a: b\n- c\n\n@d\n' }],
    ['a folded block', 'k: >-\n  a: b\n  c\n', { k: 'a: b c' }],
    ['a wrapped scalar', 'k: a\n  b\n', { k: 'a b' }],
    ['a value with a comment', 'k: v # c\n', { k: 'v' }],
    ['flow collections', 'k: [a, b]\nm: {c: d}\n', { k: ['a', 'b'], m: { c: 'd' } }],
    ['a flow list over lines', 'k: [a,\n  b]\n', { k: ['a', 'b'] }],
    ['block collections', 'k:\n  - a\n  - b: c\nm:\n  d: e\n', { k: ['a', { b: 'c' }], m: { d: 'e' } }],
    ['an empty value', 'k:\nm: n\n', { k: null, m: 'n' }],
  ])('leaves a valid entry alone: %s', (_, entry, values) => {
    expect(recovered(`${entry}${broken}`)).toEqual({ ...values, broken: 'a: b' });
    expect(recovered(`${broken}${entry}`)).toEqual({ broken: 'a: b', ...values });
    expect(recoverYaml(`${broken}${entry}`).fixes).toEqual([{ line: 1, field: 'broken', rewritten: 'broken: "a: b"' }]);
  });

  test.each<[string, string, object]>([
    ['a comment between entries', 'name: demo\n# what it does\n', { name: 'demo' }],
    ['a tab in a quoted value', 'k: "a\tb"\n', { k: 'a\tb' }],
    ['tabs in a literal block', 'k: |\n  all:\n  \tmake\tx\n', { k: 'all:\n\tmake\tx\n' }],
    ['a key in another script', 'name: demo\n名前: x\n', { name: 'demo', 名前: 'x' }],
    ['a quoted key after an entry', 'name: demo\n"a b": x\n', { name: 'demo', 'a b': 'x' }],
  ])('leaves valid entries alone: %s', (_, entries, values) => {
    expect(recovered(`${entries}${broken}`)).toEqual({ ...values, broken: 'a: b' });
  });
});
