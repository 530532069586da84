import { describe, expect, test } from 'vitest';

import { fenced } from '../../test/support/parsed.ts';
import { MAX_FRONTMATTER_BYTES, MAX_REPAIRED_LENGTH } from '../model/limits.ts';
import { toPlain } from './fields.ts';
import { countLines, detach, normalizeText, readFrontmatter, splitFrontmatter } from './frontmatter.ts';
import { readYaml } from './yaml/read-yaml.ts';

describe('a SKILL.md', () => {
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
  ])('is split into frontmatter and body %s', (_, text, parts) => {
    expect(splitFrontmatter(text)).toMatchObject({ kind: 'closed', ...parts });
  });

  test.each([
    ['inside a value', 'description: before --- after\n'],
    ['inside quotes', 'description: "a\n  ---\n  b"\n'],
    ['in a block scalar', 'description: |\n  a\n  ---\n  b\n'],
    ['with a dash too many', '----\n'],
    ['with text behind it', '--- x\n'],
  ])('is not split at --- %s', (_, yaml) => {
    expect(splitFrontmatter(`---\n${yaml}---\nBody`)).toMatchObject({ kind: 'closed', yaml, body: 'Body', line: 2 });
  });

  test.each([
    'Just text.\n',
    '# Title\n\n---\nname: a\n---\n',
    '----\nname: a\n----\n',
    ' ---\nname: a\n---\n',
    '--- x\n---',
  ])('is all body if it has no frontmatter: %j', (text) => {
    expect(splitFrontmatter(text)).toMatchObject({ kind: 'none', yaml: '', body: text.trim() });
  });

  test('has neither frontmatter nor body if it is empty', () => {
    expect(splitFrontmatter('')).toMatchObject({ kind: 'none', yaml: '', body: '' });
  });
});

describe('frontmatter that is never closed', () => {
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
  ] as const)('ends where its lines stop looking like YAML: %s', ([, text, yaml, body]) => {
    expect(splitFrontmatter(text)).toMatchObject({ kind: 'unclosed', yaml, body });
  });
});

describe('the text of a SKILL.md', () => {
  test.each([
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['lone CR', 'a\rb', 'a\nb'],
    ['a byte-order mark', '\uFEFFa', 'a'],
    ['a byte-order mark inside, which stays', 'a\uFEFF', 'a\uFEFF'],
    ['LF', 'a\nb', 'a\nb'],
  ])('is normalized from %s', (_, text, normal) => {
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
  expect(splitFrontmatter('---\nname: a\n---# Title\n\nText.\n\n---\n\nMore.\n')).toMatchObject({
    kind: 'unclosed',
    yaml: 'name: a\n',
    body: '# Title\n\nText.\n\n---\n\nMore.',
    line: 2,
  });
});

test.each([
  '---\nname: a\n---\nBody\n',
  '\uFEFF\r\n--- \r\nname: a\r\n---\t\r\n\r\nBody\r\n',
  '---\nname: a\n---# Title\n',
  '---\nname: a\n\n# Title\n',
  '---\r\nname: a\r\ntags:\r\n  - b\r\nText',
  '---\nname: a\n---',
  'Text\n',
  '---',
])(
  'the parts of %j, joined, are the same text, and Windows line ends make no difference to where it is cut',
  (text) => {
    const { opening, yaml, closing, rest, kind, body } = splitFrontmatter(text);
    expect(opening + yaml + closing + rest).toBe(text);
    const normal = splitFrontmatter(normalizeText(text));
    expect([kind, normalizeText(yaml), normalizeText(body)]).toEqual([normal.kind, normal.yaml, normal.body]);
  },
);

function read(yaml: string): Record<'values' | 'faults' | 'isRecovered' | 'fixes', unknown> {
  const { map, faults, isRecovered, fixes } = readFrontmatter(fenced(yaml));
  return { values: map && toPlain(map), faults, isRecovered, fixes };
}

const UNCHANGED = { isRecovered: false, fixes: [] };

describe('line numbers in frontmatter diagnostics', () => {
  test('count from the start of the file for syntax faults and fixes', () => {
    const { faults, fixes } = readFrontmatter('\n\n---\nname: a\nx: b: c\n---\n');
    expect(faults).toEqual([expect.objectContaining({ kind: 'syntax', line: 5 })]);
    expect(fixes).toEqual([{ line: 5, field: 'x', rewritten: 'x: "b: c"' }]);
  });

  test('count from the start of the file for duplicate keys', () => {
    expect(read('a: b\nc: {d: e}\na: f').faults).toEqual([expect.objectContaining({ kind: 'duplicate-key', line: 4 })]);
  });
});

test.each([
  ['alone', 'name: a\ndescription: Use when: it rains\n'],
  ['with a wrapped line', 'name: a\ndescription: Use when: it rains\n  or snows\nlicense: MIT\n'],
  ['before another fault', 'a: b: c\nname: @b\n'],
  ['after another fault', 'name: @b\na: b: c\n'],
  ['beside lists and blocks', 'tags: [x, y]\ntext: |\n  k: v: w\na: b: c\n'],
  ['inside a mapping', 'm:\n  a: b: c\n'],
  ['after a quote that does not close', 'q: "x\na: b: c\n'],
])('a second colon in a frontmatter value is reported as the YAML parser reports it: %s', (_, yaml) => {
  const [fault] = readYaml(yaml).faults;
  expect(readFrontmatter(`---\n${yaml}---\n`).faults[0]).toEqual({ ...fault, line: (fault?.line ?? 0) + 1 });
});

test('a file without frontmatter has no fields and no faults', () => {
  expect(readFrontmatter('Text.')).toEqual({
    split: expect.objectContaining({ kind: 'none', body: 'Text.' }),
    map: new Map(),
    faults: [],
    isRecovered: false,
    fixes: [],
  });
});

describe('reading frontmatter', () => {
  test.each([
    ['[a, b]', ['a', 'b']],
    ['{a: b}', { a: 'b' }],
    ['"a: b" # c', 'a: b'],
    ['a # b', 'a'],
    ['!x y', 'y'],
  ])('keeps the value of valid YAML: %s', (source, value) => {
    expect(read(`x: ${source}`)).toEqual({ values: { x: value }, faults: [], ...UNCHANGED });
  });

  test('recovers a broken value and keeps the fault that made it necessary', () => {
    expect(read('x: a: b')).toEqual({
      values: { x: 'a: b' },
      faults: [expect.objectContaining({ kind: 'syntax', line: 2 })],
      isRecovered: true,
      fixes: [expect.objectContaining({ line: 2, field: 'x' })],
    });
  });

  test.each(['{name: a, x: b: c}', '- a\n- b', 'just text', '[a, b]'])('recovers nothing from %j', (yaml) => {
    const { values, faults, ...recovery } = read(yaml);
    expect(values).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(recovery).toEqual(UNCHANGED);
  });

  test('recovers tabs as indentation without adding quotes', () => {
    expect(read('m:\n\tk: v')).toEqual({
      values: { m: { k: 'v' } },
      faults: [expect.objectContaining({ kind: 'syntax', line: 3 })],
      isRecovered: true,
      fixes: [],
    });
  });

  test('reports faults of single keys even beside recovered values', () => {
    expect(read('name: a\nname: b\n__proto__: c\nx: d: e')).toEqual({
      values: { name: 'a', x: 'd: e' },
      faults: expect.arrayContaining([
        expect.objectContaining({ kind: 'syntax' }),
        expect.objectContaining({ kind: 'duplicate-key', key: 'name', line: 3 }),
        expect.objectContaining({ kind: 'refused-key', key: '__proto__', line: 4 }),
      ]),
      isRecovered: true,
      fixes: [expect.objectContaining({ field: 'x' })],
    });
  });
});

describe('key faults beside recovered frontmatter values', () => {
  test('have the right line, even after a value of several lines', () => {
    expect(read('x: a: b\n  c\n  d\nname: a\nname: b').faults).toContainEqual(
      expect.objectContaining({ kind: 'duplicate-key', key: 'name', line: 6 }),
    );
  });
});

describe('YAML aliases in frontmatter', () => {
  test('are refused if they have an anchor', () => {
    expect(read('a: &x b\nc: *x')).toEqual({
      values: undefined,
      faults: [expect.objectContaining({ kind: 'alias', line: 3 })],
      ...UNCHANGED,
    });
  });

  test('are text with a leading * if there is no anchor', () => {
    expect(read('x: *.md').values).toEqual({ x: '*.md' });
    expect(read('x: *all*').values).toEqual({ x: '*all*' });
  });

  test.each([
    ['inside a flow list', 'x: [&a b, *a]'],
    ['beside a value that needs recovery', 'x: &a b\ny: *a\nz: c: d'],
  ])('are refused %s', (_, yaml) => {
    expect(read(yaml)).toMatchObject({ values: undefined, faults: [{ kind: 'alias' }] });
  });
});

describe('frontmatter', () => {
  const filled = (bytes: number, filler: string): string => {
    const head = 'x: ';
    const length = (bytes - head.length - 1) / Buffer.byteLength(filler);
    return `${head}${filler.repeat(Math.ceil(length))}`;
  };

  test('of exactly 32 KiB is read', () => {
    const { values, faults } = read(filled(MAX_FRONTMATTER_BYTES, 'a'));
    expect(faults).toEqual([]);
    expect(values).toEqual({ x: 'a'.repeat(MAX_FRONTMATTER_BYTES - 4) });
  });

  test.each(['a', 'é', '中', '😀'])('of more than 32 KiB, counted in bytes, is refused (filled with %s)', (filler) => {
    expect(read(filled(MAX_FRONTMATTER_BYTES + 4, filler))).toEqual({
      values: undefined,
      faults: [{ kind: 'too-large', message: 'the frontmatter is larger than 32768 bytes', line: 2 }],
      ...UNCHANGED,
    });
  });

  test('is read even if the body is longer than 32 KiB', () => {
    const { map } = readFrontmatter(`---\nname: a\n---\n${'x'.repeat(2 * MAX_FRONTMATTER_BYTES)}`);
    expect(map).toEqual(new Map([['name', 'a']]));
  });

  test('that is not valid is repaired up to 8 KiB, and refused beyond that', () => {
    const broken = (length: number): string => `x: a: ${'b'.repeat(length - 'x: a: \n'.length)}`;
    expect(read(broken(MAX_REPAIRED_LENGTH))).toMatchObject({ isRecovered: true });
    expect(read(broken(MAX_REPAIRED_LENGTH + 1))).toMatchObject({
      values: undefined,
      faults: [{ kind: 'too-costly', line: 2 }],
    });
  });
});
