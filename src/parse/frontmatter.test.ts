import { describe, expect, test } from 'vitest';

import { countLines, detach, normalizeText, splitFrontmatter } from './frontmatter.ts';

describe('a SKILL.md is split into frontmatter and body', () => {
  test.each([
    ['plainly', '---\nname: a\n---\nBody\n', { yaml: 'name: a\n', body: 'Body', line: 2 }],
    ['with blank lines before the fence', '\n  \n\t\n---\nname: a\n---\nB', { yaml: 'name: a\n', body: 'B', line: 5 }],
    ['with blanks after both fences', '--- \t\nname: a\n---\t \nB', { yaml: 'name: a\n', body: 'B', line: 2 }],
    ['with the closing fence at the end of the file', '---\nname: a\n---', { yaml: 'name: a\n', body: '', line: 2 }],
    ['with nothing between the fences', '---\n---\nB', { yaml: '', body: 'B', line: 2 }],
    [
      'with a body that has rules of its own',
      '---\na: b\n---\nB\n---\nC',
      { yaml: 'a: b\n', body: 'B\n---\nC', line: 2 },
    ],
    ['with blank lines around the body', '---\na: b\n---\n\n\n  B\n\n', { yaml: 'a: b\n', body: 'B', line: 2 }],
  ])('%s', (_, text, parts) => {
    expect(splitFrontmatter(text)).toEqual({ kind: 'closed', ...parts });
  });

  test.each([
    ['inside a value', 'description: before --- after\n'],
    ['inside quotes', 'description: "a\n  ---\n  b"\n'],
    ['in a block scalar', 'description: |\n  a\n  ---\n  b\n'],
    ['with a dash too many', '----\n'],
    ['with text behind it', '--- x\n'],
  ])('and --- %s does not end the frontmatter', (_, yaml) => {
    expect(splitFrontmatter(`---\n${yaml}---\nBody`)).toEqual({ kind: 'closed', yaml, body: 'Body', line: 2 });
  });

  test.each([
    'Just text.\n',
    '# Title\n\n---\nname: a\n---\n',
    '----\nname: a\n----\n',
    ' ---\nname: a\n---\n',
    '--- x\n---',
  ])('and all of it is body if it has no frontmatter: %j', (text) => {
    expect(splitFrontmatter(text)).toEqual({ kind: 'none', body: text.trim() });
  });

  test('and an empty file has neither', () => {
    expect(splitFrontmatter('')).toEqual({ kind: 'none', body: '' });
  });
});

describe('frontmatter that is never closed ends where its lines stop looking like YAML', () => {
  test.for([
    ['at a heading', '---\nname: a\n\n# Title\n', 'name: a\n', '# Title'],
    ['at prose', '---\nname: a\nNow do this.\n', 'name: a\n', 'Now do this.'],
    [
      'after lists and blank lines between fields',
      '---\na:\n  - b\n- c\n\nd: e\n\nText',
      'a:\n  - b\n- c\n\nd: e\n',
      'Text',
    ],
    ['at another kind of closer', '---\nname: a\n...\nText', 'name: a\n', '...\nText'],
    ['at the end of the file', '---\nname: a', 'name: a', ''],
    ['at once', '---', '', ''],
  ] as const)('%s', ([, text, yaml, body]) => {
    expect(splitFrontmatter(text)).toMatchObject({ kind: 'unclosed', yaml, body });
  });
});

describe('the text of a SKILL.md is normalized', () => {
  test.each([
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['lone CR', 'a\rb', 'a\nb'],
    ['a byte-order mark', '\uFEFFa', 'a'],
    ['a byte-order mark inside, which stays', 'a\uFEFF', 'a\uFEFF'],
    ['LF', 'a\nb', 'a\nb'],
  ])('from %s', (_, text, normal) => {
    expect(normalizeText(text)).toBe(normal);
  });
});

test('counting lines counts the line ends', () => {
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('\n\na')]).toEqual([0, 0, 1, 2]);
});

test('detaching a slice of a text keeps its characters', () => {
  expect([detach(''), detach('short'), detach('a longer piece of text')]).toEqual([
    '',
    'short',
    'a longer piece of text',
  ]);
});

test('a heading on the line of the closing fence ends the frontmatter, which is reported as unclosed', () => {
  expect(splitFrontmatter('---\nname: a\n---# Title\n\nText.\n\n---\n\nMore.\n')).toEqual({
    kind: 'unclosed',
    yaml: 'name: a\n',
    body: '# Title\n\nText.\n\n---\n\nMore.',
    line: 2,
  });
});
