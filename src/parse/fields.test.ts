import { describe, expect, test } from 'vitest';

import type { FrontmatterValue } from '../model/skill.ts';
import {
  flagOf,
  listOf,
  mapOf,
  readMetadata,
  readTriggers,
  splitAtCommas,
  splitGlobs,
  splitTools,
  splitWords,
  textOf,
  toPlain,
  type Report,
} from './fields.ts';

type Flaw = Parameters<Report>[0];

/** A field `x` with this value, and the flaws that reading it reports. */
function field(value: FrontmatterValue): { fields: Parameters<typeof textOf>[0]; flaws: Flaw[] } {
  const flaws: Flaw[] = [];
  return { fields: { values: new Map([['x', value]]), report: (flaw) => void flaws.push(flaw), prefix: '' }, flaws };
}

const ABSENT = [undefined, []] as const;

function wrong(expected: string): readonly Flaw[] {
  return [{ code: 'WRONG_TYPE', severity: 'warning', field: 'x', message: `x must be ${expected}` }];
}

const MAP: FrontmatterValue = new Map([['a', 'b']]);

describe('a frontmatter field', () => {
  test.each<[FrontmatterValue, string | undefined, readonly Flaw[]]>([
    ['text', 'text', []],
    ['  text\n', 'text', []],
    ['', ...ABSENT],
    ['  ', ...ABSENT],
    [null, ...ABSENT],
    [['a'], undefined, wrong('text')],
    [MAP, undefined, wrong('text')],
  ])('read as text turns %j into %j', (value, text, flaws) => {
    const { fields, flaws: reported } = field(value);
    expect(textOf(fields, 'x')).toBe(text);
    expect(reported).toEqual(flaws);
  });

  test.each<[FrontmatterValue, boolean | undefined, readonly Flaw[]]>([
    ['true', true, []],
    ['True', true, []],
    ['yes', true, []],
    ['on', true, []],
    ['1', true, []],
    ['false', false, []],
    ['NO', false, []],
    ['off', false, []],
    ['0', false, []],
    [null, ...ABSENT],
    ['maybe', undefined, wrong('true or false')],
    ['', undefined, wrong('true or false')],
    [['true'], undefined, wrong('true or false')],
    [MAP, undefined, wrong('true or false')],
  ])('read as a flag turns %j into %j', (value, flag, flaws) => {
    const { fields, flaws: reported } = field(value);
    expect(flagOf(fields, 'x')).toBe(flag);
    expect(reported).toEqual(flaws);
  });

  test.each<[FrontmatterValue, readonly string[] | undefined, readonly Flaw[]]>([
    [['a', ' b ', ''], ['a', 'b'], []],
    ['a, b', ['a', 'b'], []],
    [[], [], []],
    [null, ...ABSENT],
    [['a', null, ['b'], MAP], ['a'], wrong('a list of texts')],
    [MAP, undefined, wrong('a list of texts')],
  ])('read as a list turns %j into %j', (value, list, flaws) => {
    const { fields, flaws: reported } = field(value);
    expect(listOf(fields, 'x', splitAtCommas)).toEqual(list);
    expect(reported).toEqual(flaws);
  });

  test.each<[FrontmatterValue, FrontmatterValue | undefined, readonly Flaw[]]>([
    [MAP, MAP, []],
    [null, ...ABSENT],
    ['text', undefined, wrong('a mapping')],
    [['a'], undefined, wrong('a mapping')],
  ])('read as a mapping turns %j into %j', (value, map, flaws) => {
    const { fields, flaws: reported } = field(value);
    expect(mapOf(fields, 'x')).toBe(map);
    expect(reported).toEqual(flaws);
  });

  test('that is missing is undefined and not reported', () => {
    const { fields, flaws } = field('a');
    expect([textOf(fields, 'y'), flagOf(fields, 'y'), listOf(fields, 'y', splitWords), mapOf(fields, 'y')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(flaws).toEqual([]);
  });
});

describe('metadata in the frontmatter', () => {
  test('keeps a nested value as JSON and reports it, and an empty value as empty text', () => {
    const flaws: Flaw[] = [];
    const values = new Map<string, FrontmatterValue>([
      ['author', 'me'],
      ['empty', null],
      ['list', ['a', null]],
      ['map', new Map([['k', 'v']])],
    ]);
    expect(readMetadata(values, (flaw) => void flaws.push(flaw))).toEqual({
      author: 'me',
      empty: '',
      list: '["a",null]',
      map: '{"k":"v"}',
    });
    expect(flaws.map(({ severity, field }) => [severity, field])).toEqual([
      ['info', 'metadata.list'],
      ['info', 'metadata.map'],
    ]);
  });

  test('is an empty record if it is missing', () => {
    expect(readMetadata(undefined, () => expect.unreachable())).toEqual({});
  });
});

describe('triggers in the frontmatter', () => {
  const report: Report = () => expect.unreachable();

  test.each<[string, FrontmatterValue | undefined, object]>([
    ['absent', undefined, { keywords: [], verbs: [], patterns: [] }],
    ['empty', null, { keywords: [], verbs: [], patterns: [] }],
    ['a list', ['pdf', 'form'], { keywords: ['pdf', 'form'], verbs: [], patterns: [] }],
    ['a text', 'pdf, form', { keywords: ['pdf', 'form'], verbs: [], patterns: [] }],
    [
      'a mapping',
      new Map<string, FrontmatterValue>([
        ['keywords', ['pdf']],
        ['verbs', 'fill, sign'],
        ['patterns', ['fill .*, please']],
      ]),
      { keywords: ['pdf'], verbs: ['fill', 'sign'], patterns: ['fill .*, please'] },
    ],
    ['one pattern', new Map([['patterns', 'a{1,2}']]), { keywords: [], verbs: [], patterns: ['a{1,2}'] }],
  ])('are read if they are %s', (_, value, triggers) => {
    expect(readTriggers(value, report)).toEqual(triggers);
  });

  test('of a wrong type are reported with their full field name', () => {
    const flaws: Flaw[] = [];
    const value = new Map<string, FrontmatterValue>([['verbs', MAP]]);
    expect(readTriggers(value, (flaw) => void flaws.push(flaw))).toEqual({ keywords: [], verbs: [], patterns: [] });
    expect(flaws).toEqual([expect.objectContaining({ code: 'WRONG_TYPE', field: 'triggers.verbs' })]);
  });
});

describe('a list written as text', () => {
  test.each([
    ['a, b ,,c', ['a', 'b', 'c']],
    ['a b', ['a b']],
    ['', []],
  ])('is split at commas: %j', (text, parts) => {
    expect(splitAtCommas(text)).toEqual(parts);
  });

  test.each([
    ['*.ts, *.md', ['*.ts', '*.md']],
    ['*.{ts,tsx},src/{a,b}/**', ['*.{ts,tsx}', 'src/{a,b}/**']],
    ['a{b, c', ['a{b, c']],
    [' , ', []],
    ['', []],
  ])('of globs is split at commas, but not inside braces: %j', (text, globs) => {
    expect(splitGlobs(text)).toEqual(globs);
  });

  test.each([
    ['gh git', ['gh', 'git']],
    ['gh,  git', ['gh', 'git']],
    [' gh\n\tgit ', ['gh', 'git']],
    ['', []],
  ])('of words is split at commas if there are any, else at blanks: %j', (text, parts) => {
    expect(splitWords(text)).toEqual(parts);
  });

  test.each([
    ['Bash(git:*) Read', ['Bash(git:*)', 'Read']],
    ['Bash(git add:*), Bash(npm run:*),Read', ['Bash(git add:*)', 'Bash(npm run:*)', 'Read']],
    ['Bash(a, b) Read', ['Bash(a, b)', 'Read']],
    ['mcp__server__tool  Read\nWrite', ['mcp__server__tool', 'Read', 'Write']],
    ['Bash(unclosed x', ['Bash(unclosed x']],
    [' , ', []],
    ['', []],
  ])('of tools is split at blanks or commas, but not inside parentheses: %j', (text, tools) => {
    expect(splitTools(text)).toEqual(tools);
  });
});

test('frontmatter becomes plain data, even if a key is named like an object member', () => {
  const value = new Map<string, FrontmatterValue>([
    ['a', ['b', null, new Map([['c', 'd']])]],
    ['toString', 'x'],
  ]);
  expect(toPlain(value)).toEqual({ a: ['b', null, { c: 'd' }], toString: 'x' });
});
