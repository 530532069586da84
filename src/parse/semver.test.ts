import { describe, expect, test } from 'vitest';

import { compareLooseVersions, compareSemver, isInRange, parseSemver, parseSemverRange } from './semver.ts';

function version(text: string): NonNullable<ReturnType<typeof parseSemver>> {
  const parsed = parseSemver(text);
  if (parsed === undefined) throw new Error(`${text} is no version`);
  return parsed;
}

test.each(['1', '1.2', '1.2.3.4', '01.2.3', '1.2.3-', '1.2.3-01', 'latest', '', ' 1.2.3', `1.2.${'9'.repeat(300)}`])(
  '%j is not a semantic version',
  (text) => expect(parseSemver(text)).toBeUndefined(),
);

test('versions are sorted by the rules of Semantic Versioning', () => {
  const ordered = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ];
  expect(ordered.toReversed().sort((a, b) => compareSemver(version(a), version(b)))).toEqual(ordered);
  expect(compareSemver(version('1.0.0+a'), version('v1.0.0+b'))).toBe(0);
});

test('a semantic version says whether it is a prerelease', () => {
  expect(version('v1.2.3-beta.2+build')).toEqual({ version: '1.2.3-beta.2', prerelease: ['beta', 2] });
  expect(version('1.2.3').prerelease).toEqual([]);
});

test.each([
  ['1.0', '1.0.0', 0],
  ['v2', '1.9.9', 1],
  ['1.9', '1.10', -1],
  ['2.0.0-rc.1', '2.0.0', 0],
  ['draft', '0.0.1', -1],
  ['', 'draft', 0],
])('the loose version %j compared with %j is %d', (a, b, order) => {
  expect(compareLooseVersions(a, b)).toBe(order);
});

describe('the version range', () => {
  test.each([
    ['^1.2', '1.2.0 1.9.9', '1.1.9 2.0.0 2.0.0-rc.1 1.3.0-rc.1'],
    ['^1.2.3', '1.2.3 1.3.0', '1.2.2 2.0.0'],
    ['^0.2.3', '0.2.3 0.2.9', '0.2.2 0.3.0'],
    ['^0.0.3', '0.0.3', '0.0.4'],
    ['^0', '0.0.1 0.9.0', '1.0.0'],
    ['^0.0', '0.0.7', '0.1.0'],
    ['~1.2.3', '1.2.3 1.2.9', '1.3.0'],
    ['~1', '1.0.0 1.9.0', '2.0.0'],
    ['1', '1.0.0 1.9.0', '0.9.0 2.0.0'],
    ['1.2.x', '1.2.0 1.2.9', '1.3.0'],
    ['1.2.3', '1.2.3', '1.2.4'],
    ['*', '0.0.1 9.9.9', '1.0.0-beta'],
    ['', '1.0.0', '1.0.0-beta'],
    ['>=1.2 <2', '1.2.0 1.9.0', '1.1.0 2.0.0'],
    ['> 1.2', '1.3.0', '1.2.9'],
    ['<=1.2', '1.2.9', '1.3.0'],
    ['1.2 || 3', '1.2.5 3.1.0', '2.0.0'],
    ['1.2 - 2', '1.2.0 2.9.0', '1.1.9 3.0.0'],
    ['1.0.0-beta.2', '1.0.0-beta.2', '1.0.0'],
    ['^1.0.0-beta.2', '1.0.0-beta.3 1.0.0 1.4.0', '1.0.0-beta.1 1.1.0-beta.3'],
  ])('%j includes %s and excludes %s', (text, inside, outside) => {
    const range = parseSemverRange(text);
    if (range === undefined) throw new Error('no range');
    const kept = `${inside} ${outside}`.split(' ').filter((one) => isInRange(version(one), range));
    expect(kept.join(' ')).toBe(inside);
  });

  test('">*" includes nothing', () => {
    expect(isInRange(version('1.0.0'), parseSemverRange('>*') ?? { range: '*' })).toBe(false);
  });

  test.each(['latest', '^', '1.2.3.4', '1 -', 'a || 1', `^${'1'.repeat(400)}`, '1 || '.repeat(60)])(
    '%j is invalid',
    (text) => expect(parseSemverRange(text)).toBeUndefined(),
  );
});
