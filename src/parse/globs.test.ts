import { expect, test } from 'vitest';

import { findMatch } from './globs.ts';

test.each([
  ['pdf', ['docx', 'pdf'], 'pdf'],
  ['pdf', ['PDF'], undefined],
  ['pdf', [], undefined],
  ['pdf-fill', ['pdf'], undefined],
  ['pdf-fill', ['pdf-*'], 'pdf-*'],
  ['pdf-fill', ['*'], '*'],
  ['pdf', ['p?f'], 'p?f'],
  ['pdf', ['{docx,pdf}'], '{docx,pdf}'],
  ['a1', ['a[0-9]'], 'a[0-9]'],
  ['.hidden', ['*'], '*'],
  ['pdf', ['x*', 'p*', '*'], 'p*'],
  ['a[b]', ['a[b]'], 'a[b]'],
  ['claude-user', ['*-user'], '*-user'],
  ['axbyc', ['a*b*c'], 'a*b*c'],
  ['axbycd', ['a*b*c'], undefined],
  ['aab', ['*ab'], '*ab'],
  ['', ['*'], '*'],
  ['x', ['x**'], 'x**'],
  ['x', ['x?'], undefined],
  ['a1', ['a[!0-9]'], undefined],
  ['ab', ['a[^0-9]'], 'a[^0-9]'],
  ['a-', ['a[x-]'], 'a[x-]'],
  ['pdf-b', ['{pdf,doc{x,}}-[ab]'], '{pdf,doc{x,}}-[ab]'],
  ['doc-b', ['{pdf,doc{x,}}-[ab]'], '{pdf,doc{x,}}-[ab]'],
  ['docy-b', ['{pdf,doc{x,}}-[ab]'], undefined],
  ['{a}', ['{a}*'], '{a}*'],
  ['😀', ['?'], '?'],
  ['a.b', ['a?b', 'a.b'], 'a?b'],
  ['aXb', ['a.b*'], undefined],
  ['[', ['[*'], '[*'],
])('%j by %j: %j', (name, patterns, match) => {
  expect(findMatch(name, patterns)).toBe(match);
});

test('no glob of a stranger takes long, whatever its stars and braces', () => {
  expect(findMatch('a'.repeat(500), [`${'*a'.repeat(200)}*b`])).toBeUndefined();
  expect(findMatch('b', ['{a,b}'.repeat(60), `${'{'.repeat(5_000)}a,b${'}'.repeat(5_000)}`])).toBeUndefined();
});
