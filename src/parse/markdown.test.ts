import { describe, expect, test } from 'vitest';

import { countCodePoints } from './code-points.ts';
import { findTitle, firstProse, firstSentence, shorten } from './markdown.ts';

describe('the title of a Markdown text', () => {
  test.each([
    ['# PDF forms', 'PDF forms'],
    ['Intro\n\n# PDF\n\n# Second', 'PDF'],
    ['## Sub\n# Main', 'Main'],
    ['# PDF ##', 'PDF'],
    ['#  PDF forms  #  ', 'PDF forms'],
    ['# C#', 'C#'],
    ['#\tTab', 'Tab'],
    ['   # Indented', 'Indented'],
    ['# \n# Second', 'Second'],
    ['PDF forms\n=========\n', 'PDF forms'],
    ['# **Bold** `code`', 'Bold code'],
    ['# The _PDF_ *form* ***filler*** ~~old~~', 'The PDF form filler old'],
    ['# [PDF](https://example.com/a_b) ![logo](x.png) [forms][1]', 'PDF logo forms'],
    ['# snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
    ['# \\*args and `**kwargs`', '*args and **kwargs'],
    ['**PDF**\n===', 'PDF'],
    ['# ``', '``'],
  ])('is its first level-1 heading: %j has the title %j', (body, title) => {
    expect(findTitle(body)).toBe(title);
  });

  test.each(['', 'text', '## Sub', '#hashtag', 'text # no', '    # code', '- item\n===', '> quote\n===', '# #'])(
    'is missing if no heading is of level 1: %j',
    (body) => {
      expect(findTitle(body)).toBeUndefined();
    },
  );

  test.each([
    ['backquotes', '```sh\n# a comment\n```\n# Title'],
    ['tildes', '~~~\n# a comment\n```\n# another\n~~~\n# Title'],
    ['a longer fence around a shorter one', '````\n```\n# a comment\n```\n````\n# Title'],
    ['an indented fence', '  ```\n# a comment\n  ```\n# Title'],
    ['a fence that closes with blanks', '```\n# a comment\n```  \n# Title'],
  ])('is never a comment in a code fence: %s', (_, body) => {
    expect(findTitle(body)).toBe('Title');
  });

  test('is never a comment in a code fence that is not closed', () => {
    expect(findTitle('```\n# a comment\n')).toBeUndefined();
  });

  test('is found after inline code in three backquotes', () => {
    expect(findTitle('```js``` is short.\n\n# Title')).toBe('Title');
  });

  test('may be underlined with = and in any script', () => {
    expect(findTitle('Überblick\n===')).toBe('Überblick');
    expect(findTitle('表格\n===')).toBe('表格');
  });
});

describe('a Markdown text that is made to slow down a parser', () => {
  const BLANKS = ' '.repeat(250_000);

  test.each([
    ['blanks inside a heading', `# a${BLANKS}b`, `a${BLANKS}b`],
    ['marks and blanks inside a heading', `# ${'#'.repeat(1_000)}${BLANKS}b`, `${'#'.repeat(1_000)}${BLANKS}b`],
    ['closing marks without end', `# a ${'#'.repeat(250_000)}`, 'a'],
    ['an underline that is none', `a\n${'='.repeat(250_000)}x`, undefined],
  ])('still has its title found: %s', (_, body, title) => {
    expect(findTitle(body)).toBe(title);
  });
});

describe('the first sentence of a text', () => {
  test.each([
    ['Fill PDF forms.', 'Fill PDF forms'],
    ['Fill PDF forms. Use when asked.', 'Fill PDF forms'],
    ['Fill forms in PDF 1.7 files. Then stop.', 'Fill forms in PDF 1.7 files'],
    ['Reads files, e.g. PDFs, i.e. forms. Then stops.', 'Reads files, e.g. PDFs, i.e. forms'],
    ['Compare A vs. B etc. and more. Then stop.', 'Compare A vs. B etc. and more'],
    ['Ready? Then go.', 'Ready?'],
    ['Go! Now.', 'Go!'],
    ['填写表格。然后签名。', '填写表格'],
    ['填写表格！然后签名。', '填写表格！'],
    ['one\n  two\tthree. four', 'one two three'],
    ['', ''],
  ])('is found: %j gives %j', (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });

  test('is cut at a word if it is longer than 80 characters', () => {
    const brief = firstSentence('word '.repeat(30));
    expect(brief).toBe(`${'word '.repeat(15).trimEnd()}…`);
    expect(countCodePoints(brief)).toBe(75);
  });

  test('is cut between characters if it has no blanks', () => {
    expect(firstSentence('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
    expect(firstSentence('😀'.repeat(81))).toBe(`${'😀'.repeat(79)}…`);
  });

  test('stays whole if it has 80 code points', () => {
    expect(firstSentence('x'.repeat(80))).toBe('x'.repeat(80));
    expect(firstSentence('😀'.repeat(80))).toBe('😀'.repeat(80));
  });

  test('never ends in half a character, however long the text', () => {
    expect(firstSentence(`x${' '.repeat(318)}😀 y`).isWellFormed()).toBe(true);
  });
});

describe('the first paragraph of prose in a Markdown text', () => {
  test.each([
    ['after a heading', '# Title\n\nFill forms.\n\nMore.', 'Fill forms.'],
    ['over several lines', 'Fill\nforms.\n\nMore.', 'Fill forms.'],
    ['after a code block', '```\ncode\n```\n\nText.', 'Text.'],
    ['after a table', '| a |\n|---|\n\nText.', 'Text.'],
    ['after a rule', '---\n\nText.', 'Text.'],
    ['after a comment', '<!-- c -->\n\nText.', 'Text.'],
    ['which may be a list', '- one\n- two', '- one - two'],
  ])('is found: %s', (_, body, prose) => {
    expect(firstProse(body)).toBe(prose);
  });

  test('is empty if there is none', () => {
    expect([firstProse(''), firstProse('# Title\n\n## Sub')]).toEqual(['', '']);
  });

  test.each([
    ['a heading without a blank line after it', '# Title\nFill forms.'],
    ['an underlined heading', 'Title\n=====\n\nFill forms.'],
    ['a code block with blank lines in it', '```\ncode\n\nmore code\n```\n\nFill forms.'],
  ])('is never %s', (_, body) => {
    expect(firstProse(body)).toBe('Fill forms.');
  });
});

describe('shortening a text', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['cut at a word here', 12, 'cut at a…'],
    ['unbreakable-text', 8, 'unbreak…'],
    ['😀😀😀😀', 3, '😀😀…'],
  ])('turns %j with at most %i characters into %j', (text, max, short) => {
    expect(shorten(text, max)).toBe(short);
  });
});
