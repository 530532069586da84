import { expect, test } from 'vitest';

import { readTypedFrontmatter } from './typed-frontmatter.ts';

function read(text: string | Uint8Array): ReturnType<typeof readTypedFrontmatter> {
  return readTypedFrontmatter(Buffer.from(text));
}

test('typed frontmatter has the values that YAML 1.2 defines, not their source text', () => {
  const text = `---
name: pdf
version: 1.0
quoted: "1.0"
count: 12
hex: 0x1F
yes: yes
flag: True
nothing: ~
date: 2026-01-02
list: [1, a, null]
map: { a: 1, b: { c: false } }
folded: >
  two
  lines
---
body
`;
  expect(read(text)).toEqual({
    ok: true,
    fields: {
      name: 'pdf',
      version: 1,
      quoted: '1.0',
      count: 12,
      hex: 31,
      yes: 'yes',
      flag: true,
      nothing: null,
      date: '2026-01-02',
      list: [1, 'a', null],
      map: { a: 1, b: { c: false } },
      folded: 'two lines\n',
    },
  });
});

test('typed frontmatter ignores a byte-order mark and Windows line ends', () => {
  expect(read('\uFEFF---\r\nname: a\r\n---\r\nx')).toEqual({ ok: true, fields: { name: 'a' } });
});

test('typed frontmatter that is empty has no fields', () => {
  expect(read('---\n---\n')).toEqual({ ok: true, fields: {} });
});

test.each([
  ['without frontmatter', '# Title\n', 'must begin'],
  ['with blank lines before it', '\n---\nname: a\n---\n', 'must begin'],
  ['that does not end', '---\nname: a\n', 'must begin'],
  ['with an unquoted colon', '---\nname: a: b\n---\n', 'line 2'],
  ['with an alias', '---\na: &x 1\nb: *x\n---\n', 'not plain YAML'],
  ['with a key twice', '---\na: 1\na: 2\n---\n', 'not plain YAML'],
  ['with a tag of its own', '---\na: !mine 1\n---\n', 'not plain YAML'],
  ['that is a list', '---\n- a\n---\n', 'not plain YAML'],
  ['with a number that JSON does not have', '---\na: .inf\n---\n', 'JSON'],
  ['with such a number inside', '---\na: [{ b: .nan }]\n---\n', 'JSON'],
  ['that is too large', `---\na: ${'x'.repeat(70_000)}\n---\n`, 'too large'],
])('typed frontmatter is refused for a file %s', (_what, text, reason) => {
  expect(read(text)).toMatchObject({ ok: false, code: 'PARSE_FAILED', message: expect.stringContaining(reason) });
});

test('typed frontmatter is refused for a file that is not valid UTF-8', () => {
  expect(read(Buffer.concat([Buffer.from('---\na: '), Buffer.of(0xff), Buffer.from('\n---\n')]))).toMatchObject({
    ok: false,
    message: expect.stringContaining('UTF-8'),
  });
});
