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
  ['inside', '?s two words', 7, '?s two words\n       ^'],
  ['at the end', '?s', 2, '?s\n  ^'],
  ['in nothing', '', 0, '\n^'],
  ['after letters that are wide', '?s 配置 x', 6, '?s 配置 x\n        ^'],
  ['after an emoji', '?s 🚀 x', 6, '?s 🚀 x\n      ^'],
  ['after a mark that combines', '?s q\u0303 x', 6, '?s q\u0303 x\n     ^'],
  ['at a mark, below its letter', '?s q\u0303', 4, '?s q\u0303\n   ^'],
  ['after what is made visible', '?s \u001B[31m x', 9, '?s \\u{1b}[31m x\n              ^'],
  ['after a tab', '?s\tx', 3, '?s\\u{9}x\n       ^'],
])('the caret stands %s', (_, text, ...[position, printed]) => {
  expect(point(text, position)).toBe(printed);
});

describe('of a text over several lines', () => {
  test('the one with the position is shown', () => {
    expect(point('?s "a\nbcd" e\nf', 10)).toBe('bcd" e\n    ^');
    expect(point('?s x\n?s y', 4)).toBe('?s x\n    ^');
  });
});

describe('a long line', () => {
  const text = `?s ${'a'.repeat(30)}X${'b'.repeat(30)}`;

  test('is cut around the caret', () => {
    expect(point(text, 33, 21)).toBe(`…${'a'.repeat(9)}X${'b'.repeat(9)}…\n          ^`);
  });

  test('gives the room that one side does not need to the other', () => {
    expect(point(text, 0, 21)).toBe(`?s ${'a'.repeat(16)}…\n^`);
    expect(point(text, text.length, 21)).toBe(`…${'b'.repeat(18)}\n${' '.repeat(19)}^`);
  });

  test('that just fits is not cut', () => {
    expect(point(text, 0, text.length)).toBe(`${text}\n^`);
  });

  test('is never wider than asked for, and the caret is always in it', () => {
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
