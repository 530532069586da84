import { expect, test } from 'vitest';

import {
  aBoolean,
  aFunction,
  aNumber,
  anObject,
  aString,
  checkCall,
  aWordOf,
  optionsOf,
  skillList,
  stringOrBytes,
  stringOrStrings,
  strings,
  type ArgumentKind,
} from './check-arguments.ts';

interface Options {
  readonly dirs?: readonly string[];
  readonly query: string;
  readonly limit?: number;
}

const OPTIONS = optionsOf<Options>({ dirs: strings, query: aString, limit: aNumber }, ['query']);

function fault(kind: ArgumentKind, value: unknown): string | undefined {
  return kind(value, 'it');
}

test('wrong arguments throw a TypeError that says how the function is called', () => {
  const check = (name: unknown, options: unknown): void =>
    checkCall('load(name, options?)', { name: [name, aString], options: [options, OPTIONS] });
  expect(() => check('pdf', { query: 'x' })).not.toThrow();
  expect(() => check({ name: 'pdf' }, {})).toThrow(
    new TypeError('load(name, options?): name must be a string, not an object with name'),
  );
  expect(() => check('pdf', { query: 'x', dir: '.' })).toThrow(
    new TypeError('load(name, options?): unknown option "dir"; did you mean "dirs"?'),
  );
});

test.each<[unknown, string | undefined]>([
  [{ query: '' }, undefined],
  [{ query: '', limit: undefined }, undefined],
  [{}, 'it must have "query"'],
  ['x', 'it must be an object, not "x"'],
  [null, 'it must be an object, not null'],
  [['x'], 'it must be an object, not a list'],
  [{ query: '', max: 1 }, 'unknown option "max"; there are dirs, query, limit'],
  [{ query: '', Limit: 1 }, 'unknown option "Limit"; did you mean "limit"?'],
  [{ query: '', toString: 1 }, 'unknown option "toString"; there are dirs, query, limit'],
  [{ query: '', limit: '3' }, 'limit must be a number, not "3"'],
  [{ query: '', dirs: '/a' }, 'dirs must be a list of strings, not "/a"'],
  [{ query: '', dirs: ['/a', 7] }, 'dirs[1] must be a string, not 7'],
  [{ query: null }, 'query must be a string, not null'],
])('checking the options %j gives %j', (value, expected) => {
  expect(fault(OPTIONS, value)).toBe(expected);
});

test('each kind of argument accepts its own values only', () => {
  const values = ['', 1, true, () => 1, {}, [], ['a'], [1], null, new Uint8Array(), Number.NaN, undefined];
  const taken = (kind: ArgumentKind): readonly number[] =>
    values.flatMap((value, at) => (fault(kind, value) === undefined ? [at] : []));
  expect(taken(aString)).toEqual([0]);
  expect(taken(aNumber)).toEqual([1]);
  expect(taken(aBoolean)).toEqual([2]);
  expect(taken(aFunction)).toEqual([3]);
  expect(taken(anObject)).toEqual([4, 9]);
  expect(taken(strings)).toEqual([5, 6]);
  expect(taken(stringOrStrings)).toEqual([0, 5, 6]);
  expect(taken(stringOrBytes)).toEqual([0, 9]);
});

test('an argument that is not one of the allowed words is answered with the allowed words', () => {
  const format = aWordOf(['xml', 'markdown']);
  expect(fault(format, 'xml')).toBeUndefined();
  expect(fault(format, 'html')).toBe('it must be "xml" or "markdown", not "html"');
  expect(fault(format, 'markdwon')).toBe('it must be "xml" or "markdown", not "markdwon"; did you mean "markdown"?');
});

test('an argument that is a list of skills must contain records with a name and a state', () => {
  expect(fault(skillList, [{ name: 'pdf', status: 'enabled' }])).toBeUndefined();
  expect(fault(skillList, { skills: [], diagnostics: [] })).toBe(
    'it must be a list of skills, not an object with skills, diagnostics',
  );
  expect(fault(skillList, ['pdf'])).toBe(
    'it[0] must be a skill, not "pdf"; `fromFile`, `loadAll` and `discoverSkills` give skills',
  );
});

test('the message about a wrong argument does not repeat long values', () => {
  expect(fault(aNumber, 'x'.repeat(1_000))).toBe('it must be a number, not a long string');
});
