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
])('%j by %j: %j', (name, patterns, match) => {
  expect(findMatch(name, patterns)).toBe(match);
});
