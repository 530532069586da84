import { describe, expect, test } from 'vitest';

import { memoryFolder } from '../../../test/support/memory-folder.ts';
import { fenced } from '../../../test/support/parsed.ts';
import { readFolderProperties, readTypedFrontmatter } from './strict-fields.ts';

function read(content: string | Uint8Array, file = 'SKILL.md'): ReturnType<typeof readFolderProperties> {
  return readFolderProperties(memoryFolder({ [file]: content }));
}

describe('reading the properties of a skill', () => {
  test("gives name, description and the optional fields that are set, in the reference tool's order", () => {
    const outcome = read(
      fenced(
        'metadata:\n  author: me\n  version: 1.0\nallowed-tools: Bash(git:*) Read\ncompatibility: Node 20\n' +
          'license: MIT\ndescription: Fills forms.\nname: demo\ntags: [a]',
      ),
    );
    expect(outcome).toEqual({
      ok: true,
      file: 'SKILL.md',
      properties: {
        name: 'demo',
        description: 'Fills forms.',
        license: 'MIT',
        compatibility: 'Node 20',
        'allowed-tools': 'Bash(git:*) Read',
        metadata: { author: 'me', version: '1.0' },
      },
    });
    expect(outcome.ok && Object.keys(outcome.properties)).toEqual([
      'name',
      'description',
      'license',
      'compatibility',
      'allowed-tools',
      'metadata',
    ]);
  });

  test('leaves out empty fields', () => {
    expect(read(fenced('name: demo\ndescription: d\nlicense:\nmetadata: {}\ncompatibility: ~'))).toEqual({
      ok: true,
      file: 'SKILL.md',
      properties: { name: 'demo', description: 'd' },
    });
  });

  test('trims name and description', () => {
    expect(read(fenced('name: " demo "\ndescription: |\n  d\n  e\n'))).toMatchObject({
      properties: { name: 'demo', description: 'd\ne' },
    });
  });

  test('does not check limits', () => {
    const description = 'x'.repeat(2_000);
    expect(read(fenced(`name: Not_Valid\ndescription: ${description}`))).toMatchObject({
      ok: true,
      properties: { name: 'Not_Valid', description },
    });
  });

  test('uses skill.md if there is no SKILL.md', () => {
    expect(read(fenced('name: demo\ndescription: d'), 'skill.md')).toMatchObject({ ok: true, file: 'skill.md' });
  });

  test.each([
    ['a byte-order mark', '\uFEFF---\nname: demo\ndescription: d\n---\n'],
    ['CRLF', '---\r\nname: demo\r\ndescription: d\r\n---\r\n'],
  ])('accepts %s', (_, text) => {
    expect(read(text)).toMatchObject({ ok: true, properties: { name: 'demo', description: 'd' } });
  });
});

describe('reading the properties of a skill', () => {
  test.each([
    ['no frontmatter', 'Text', 'must start with'],
    ['not closed', '---\nname: a\n', 'not properly closed'],
    ['broken YAML', fenced('name: [invalid'), 'invalid YAML in line'],
    ['YAML that loading would recover', fenced('name: a\ndescription: b: c'), 'invalid YAML in line 3'],
    ['an alias', fenced('name: &a b\ndescription: *a'), 'invalid YAML in line 3'],
    ['a duplicate key', fenced('name: a\nname: b\ndescription: c'), 'invalid YAML in line 3'],
    ['a list', fenced('- a\n- b'), 'must be a mapping'],
    ['no name', fenced('description: d'), 'missing required field: name'],
    ['no description', fenced('name: a'), 'missing required field: description'],
    ['an empty name', fenced('name: ""\ndescription: d'), 'the field name must be non-empty text'],
    [
      'a description that is a list',
      fenced('name: a\ndescription: [b]'),
      'the field description must be non-empty text',
    ],
    ['frontmatter beyond the limit', fenced(`name: ${'a'.repeat(70_000)}`), 'larger than 32768 bytes'],
  ])('fails with the reason for %s', (_, text, words) => {
    expect(read(text)).toEqual({ ok: false, code: 'PARSE_FAILED', message: expect.stringContaining(words) });
  });

  test('fails if the file is not valid UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('---\nname: demo\ndescription: caf'),
      Buffer.from([0xe9, 0x0a]),
      Buffer.from('---\n'),
    ]);
    expect(read(bytes)).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
  });

  test.each([
    ['no folder', memoryFolder({}, { state: 'missing' }), 'does not exist'],
    ['a file', memoryFolder({}, { state: 'not-directory' }), 'not a directory'],
    ['no skill file', memoryFolder({ 'README.md': '' }), 'not found'],
  ])('fails with the reason if there is %s', (_, folder, words) => {
    expect(readFolderProperties(folder)).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: expect.stringContaining(words),
    });
  });

  test('fails if the file is larger than 1 MiB', () => {
    expect(read('x'.repeat(1024 * 1024 + 1))).toMatchObject({ ok: false, code: 'STORE_FAILED' });
  });
});

function readTyped(text: string | Uint8Array): ReturnType<typeof readTypedFrontmatter> {
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
  expect(readTyped(text)).toEqual({
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
  expect(readTyped('\uFEFF---\r\nname: a\r\n---\r\nx')).toEqual({ ok: true, fields: { name: 'a' } });
});

test('typed frontmatter that is empty has no fields', () => {
  expect(readTyped('---\n---\n')).toEqual({ ok: true, fields: {} });
});

test.each([
  ['without frontmatter', '# Title\n', 'must start with'],
  ['with blank lines before it', '\n---\nname: a\n---\n', 'must start with'],
  ['that does not end', '---\nname: a\n', 'not properly closed'],
  ['with an unquoted colon', '---\nname: a: b\n---\n', 'line 2'],
  ['with an alias', '---\na: &x 1\nb: *x\n---\n', 'invalid YAML in line 3'],
  ['with a key twice', '---\na: 1\na: 2\n---\n', 'invalid YAML in line 3'],
  ['with a tag of its own', '---\na: !mine 1\n---\n', 'invalid YAML'],
  ['that is a list', '---\n- a\n---\n', 'must be a mapping'],
  ['with a number that JSON does not have', '---\na: .inf\n---\n', 'JSON'],
  ['with such a number inside', '---\na: [{ b: .nan }]\n---\n', 'JSON'],
  ['that is too large', `---\na: ${'x'.repeat(70_000)}\n---\n`, 'larger than'],
])('typed frontmatter is refused for a file %s', (_what, text, reason) => {
  expect(readTyped(text)).toMatchObject({ ok: false, code: 'PARSE_FAILED', message: expect.stringContaining(reason) });
});

test('typed frontmatter is refused for a file that is not valid UTF-8', () => {
  expect(readTyped(Buffer.concat([Buffer.from('---\na: '), Buffer.of(0xff), Buffer.from('\n---\n')]))).toMatchObject({
    ok: false,
    message: expect.stringContaining('UTF-8'),
  });
});
