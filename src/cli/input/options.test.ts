import { expect, test } from 'vitest';

import { toFlag } from '../../model/next-step.ts';
import { openOptions, toName, WrongUsage } from './options.ts';

const options = openOptions(
  new Map([
    ['yes', ['']],
    ['tag', ['a', 'b']],
    ['limit', ['7']],
    ['share', ['0.5']],
    ['format', ['xml']],
    ['wrong', ['-1']],
  ]),
  new Set(['yes', 'tag', 'limit', 'share', 'format', 'wrong', 'absent']),
);

test('option values are read by type', () => {
  expect(options.has('yes')).toBe(true);
  expect(options.has('absent')).toBe(false);
  expect(options.text('tag')).toBe('b');
  expect(options.all('tag')).toEqual(['a', 'b']);
  expect(options.all('absent')).toEqual([]);
  expect(options.count('limit')).toBe(7);
  expect(options.share('share')).toBe(0.5);
  expect(options.oneOf('format', ['xml', 'json'])).toBe('xml');
  expect(options.parsed('limit', (text) => `${text}!`, 'anything')).toBe('7!');
});

test('an option that was not given is undefined for every type', () => {
  expect([options.text('absent'), options.count('absent'), options.share('absent')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(options.oneOf('absent', ['xml'])).toBeUndefined();
});

test.each([
  [() => options.count('wrong'), '--wrong takes a whole number, not "-1"'],
  [() => options.count('share'), '--share takes a whole number, not "0.5"'],
  [() => options.count('limit', { max: 6, expected: 'a number up to 6' }), '--limit takes a number up to 6, not "7"'],
  [() => options.count('limit', { min: 8 }), '--limit takes a whole number, not "7"'],
  [() => options.share('limit'), '--limit takes a number from 0 to 1, not "7"'],
  [() => options.oneOf('format', ['a', 'b']), '--format takes a, b, not "xml"'],
])('an option with a wrong value is refused: $1', (read, message) => {
  expect(read).toThrow(new WrongUsage(message));
});

test('a command that asks for an option it does not declare throws', () => {
  expect(() => options.has('nope')).toThrow('the command has no option --nope');
});

test('option names and flags convert into each other', () => {
  expect(toFlag('useGitCredentials')).toBe('--use-git-credentials');
  expect(toName('--use-git-credentials')).toBe('useGitCredentials');
  expect(toName(toFlag('minHit1'))).toBe('minHit1');
});
