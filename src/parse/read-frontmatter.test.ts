import { describe, expect, test } from 'vitest';

import { fenced } from '../../test/support/parsed.ts';
import { MAX_FRONTMATTER_BYTES } from '../model/limits.ts';
import { toPlain } from './fields.ts';
import { readFrontmatter } from './read-frontmatter.ts';
import { readYaml } from './yaml/yaml.ts';

function read(yaml: string): Record<'values' | 'faults' | 'isRecovered' | 'fixes', unknown> {
  const { map, faults, isRecovered, fixes } = readFrontmatter(fenced(yaml));
  return { values: map && toPlain(map), faults, isRecovered, fixes };
}

const UNCHANGED = { isRecovered: false, fixes: [] };

describe('line numbers in frontmatter diagnostics count from the start of the file', () => {
  test('for syntax faults and fixes', () => {
    const { faults, fixes } = readFrontmatter('\n\n---\nname: a\nx: b: c\n---\n');
    expect(faults).toEqual([expect.objectContaining({ kind: 'syntax', line: 5 })]);
    expect(fixes).toEqual([{ line: 5, field: 'x', rewritten: 'x: "b: c"' }]);
  });

  test('for duplicate keys', () => {
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
    split: { kind: 'none', body: 'Text.' },
    map: new Map(),
    faults: [],
    isRecovered: false,
    fixes: [],
  });
});

describe('frontmatter is recovered only if strict YAML parsing fails', () => {
  test.each([
    ['[a, b]', ['a', 'b']],
    ['{a: b}', { a: 'b' }],
    ['"a: b" # c', 'a: b'],
    ['a # b', 'a'],
    ['!x y', 'y'],
  ])('so valid YAML keeps its value: %s', (source, value) => {
    expect(read(`x: ${source}`)).toEqual({ values: { x: value }, faults: [], ...UNCHANGED });
  });

  test('and the recovered value keeps the fault that made it necessary', () => {
    expect(read('x: a: b')).toEqual({
      values: { x: 'a: b' },
      faults: [expect.objectContaining({ kind: 'syntax', line: 2 })],
      isRecovered: true,
      fixes: [expect.objectContaining({ line: 2, field: 'x' })],
    });
  });

  test.each(['{name: a, x: b: c}', '- a\n- b', 'just text', '[a, b]'])('and %j cannot be recovered', (yaml) => {
    const { values, faults, ...recovery } = read(yaml);
    expect(values).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(recovery).toEqual(UNCHANGED);
  });

  test('and tabs as indentation are recovered without adding quotes', () => {
    expect(read('m:\n\tk: v')).toEqual({
      values: { m: { k: 'v' } },
      faults: [expect.objectContaining({ kind: 'syntax', line: 3 })],
      isRecovered: true,
      fixes: [],
    });
  });

  test('and faults of single keys are reported even beside recovered values', () => {
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

  test('of exactly 64 KiB is read', () => {
    const { values, faults } = read(filled(MAX_FRONTMATTER_BYTES, 'a'));
    expect(faults).toEqual([]);
    expect(values).toEqual({ x: 'a'.repeat(MAX_FRONTMATTER_BYTES - 4) });
  });

  test.each(['a', 'é', '中', '😀'])('of more than 64 KiB, counted in bytes, is refused (filled with %s)', (filler) => {
    expect(read(filled(MAX_FRONTMATTER_BYTES + 4, filler))).toEqual({
      values: undefined,
      faults: [{ kind: 'too-large', message: 'the frontmatter is larger than 65536 bytes', line: 2 }],
      ...UNCHANGED,
    });
  });

  test('is read even if the body is longer than 64 KiB', () => {
    const { map } = readFrontmatter(`---\nname: a\n---\n${'x'.repeat(2 * MAX_FRONTMATTER_BYTES)}`);
    expect(map).toEqual(new Map([['name', 'a']]));
  });
});
