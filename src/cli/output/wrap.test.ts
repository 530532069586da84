import fc from 'fast-check';
import { expect, test } from 'vitest';

import { displayWidth } from '../../model/display-width.ts';
import { findHead, wrap } from './wrap.ts';

test.each<[what: string, text: string, wrapped: [columns: number, ...lines: string[]]]>([
  ['a text that fits', 'one two', [7, 'one two']],
  ['a text that does not fit', 'one two three', [7, 'one two', 'three']],
  ['a line with columns', 'one  two three', [8, 'one  two', 'three']],
  ['a word that is too wide', 'a /very/long/path b', [6, 'a', '/very/long/path', 'b']],
  ['wide characters', '日本 語言 文', [9, '日本 語言', '文']],
  ['a command in backticks', 'run `do it now` or not', [14, 'run', '`do it now` or', 'not']],
  ['a command that is too wide', 'run `do it now` or', [8, 'run', '`do it now`', 'or']],
  ['styled text', '\u001B[1mone two\u001B[22m three', [7, '\u001B[1mone two\u001B[22m', 'three']],
  ['a single backtick', "it`s o'clock now", [9, 'it`s', "o'clock", 'now']],
])('wrapping a text breaks it only where it may: %s', (_what, text, [columns, ...lines]) => {
  expect(wrap(text, columns)).toEqual(lines);
});

test('wrapping a text loses and breaks no word, and no line is wider than needed', () => {
  const words = fc.array(fc.stringMatching(/^[a-z/é]{1,12}$/), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(words, fc.integer({ min: 4, max: 40 }), (given, columns) => {
      const lines = wrap(given.join(' '), columns);
      expect(lines.join(' ').split(' ')).toEqual(given);
      for (const line of lines) expect(displayWidth(line) <= columns || !line.includes(' ')).toBe(true);
    }),
  );
});

test.each([
  ['no mark', 'skillplane: a message', 0],
  ['an indent', '    a message', 4],
  ['a mark', '  - a message', 4],
  ['a mark and a column', '✓ config   no file', 11],
  ['a label', 'Where     ~/skills/pdf', 10],
  ['a column that is wider than half of the line', `  ${'x'.repeat(50)}  text`, 2],
])('a wrapped line with %s continues below its text', (_what, text, indent) => {
  expect(findHead(text, 80)).toHaveLength(indent);
});
