import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { displayWidth } from '../../model/display-width.ts';
import { pointAt } from './caret.ts';

/** Returns the line as printed, and the caret below it. */
function point(text: string, position: number, columns = 40): string {
  const { line, indent } = pointAt(text, position, columns);
  return `${line}\n${' '.repeat(indent)}^`;
}

test.each([
  ['at the beginning', 'x', 0, 'x\n^'],
  ['inside the line', '?s two words', 7, '?s two words\n       ^'],
  ['at the end', '?s', 2, '?s\n  ^'],
  ['in an empty line', '', 0, '\n^'],
  ['after wide characters', '?s 配置 x', 6, '?s 配置 x\n        ^'],
  ['after an emoji', '?s 🚀 x', 6, '?s 🚀 x\n      ^'],
  ['after a combining mark', '?s q\u0303 x', 6, '?s q\u0303 x\n     ^'],
  ['at a combining mark, below its letter', '?s q\u0303', 4, '?s q\u0303\n   ^'],
  ['after an escaped character', '?s \u001B[31m x', 9, '?s \\u{1b}[31m x\n              ^'],
  ['after a tab', '?s\tx', 3, '?s\\u{9}x\n       ^'],
])('the caret of an error message points to its position: %s', (_, text, ...[position, printed]) => {
  expect(point(text, position)).toBe(printed);
});

describe('an error message about a text of several lines', () => {
  test('shows the line with the position', () => {
    expect(point('?s "a\nbcd" e\nf', 10)).toBe('bcd" e\n    ^');
    expect(point('?s x\n?s y', 4)).toBe('?s x\n    ^');
  });
});

describe('a long line in an error message', () => {
  const text = `?s ${'a'.repeat(30)}X${'b'.repeat(30)}`;

  test('is truncated around the caret', () => {
    expect(point(text, 33, 21)).toBe(`…${'a'.repeat(9)}X${'b'.repeat(9)}…\n          ^`);
  });

  test('uses the space that one side does not need for the other', () => {
    expect(point(text, 0, 21)).toBe(`?s ${'a'.repeat(16)}…\n^`);
    expect(point(text, text.length, 21)).toBe(`…${'b'.repeat(18)}\n${' '.repeat(19)}^`);
  });

  test('that just fits is not truncated', () => {
    expect(point(text, 0, text.length)).toBe(`${text}\n^`);
  });

  test('never exceeds the width, and always includes the caret', () => {
    const character = fc.oneof(
      fc.constantFrom('a', '配', '🚀', '\u0301', '\u001B', '\u202E', '\n'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    );
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 20, max: 100 }),
        (parts, at, columns) => {
          const given = parts.join('');
          const { line, indent } = pointAt(given, at % (given.length + 1), columns);
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
          expect(indent).toBeLessThanOrEqual(displayWidth(line));
          expect(line).not.toMatch(/[\n\u001B\u202E]/);
        },
      ),
      { numRuns: 2_000, seed: 20261115 },
    );
  });
});
