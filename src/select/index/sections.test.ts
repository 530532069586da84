import { expect, test } from 'vitest';

import { findHeadings, splitSections } from './sections.ts';

const filled = (word: string, characters: number): string =>
  `${word} `.repeat(Math.ceil(characters / (word.length + 1)));

test('a section of instructions goes from one heading to the next, and short ones are joined', () => {
  const body = `# One\n${filled('first', 500)}\n## Two\n${filled('second', 500)}\n## Three\nshort\n## Four\nend`;
  const sections = splitSections(body, 32);
  expect(sections.map(({ heading }) => heading)).toEqual(['', 'Two', 'Three']);
  expect(sections.map(({ text }) => text).join('')).toBe(body);
});

test('a long section of instructions is split, so that words of one piece are near each other', () => {
  expect(splitSections(filled('word', 6_000), 32)).toHaveLength(3);
});

test('instructions are split into at most the given number of sections without losing text', () => {
  const body = Array.from({ length: 60 }, (_, at) => `## Part ${at}\n${filled('text', 410)}`).join('\n');
  const sections = splitSections(body.slice(0, 12_000), 4);
  expect(sections).toHaveLength(4);
  expect(sections.map(({ text }) => text).join('')).toBe(body.slice(0, 12_000));
  expect(splitSections('', 4)).toEqual([]);
});

test('headings in instructions are lines that begin with one to four # and a blank', () => {
  const text = '# One\n no # Two\n##### Five\n#Three\n##  Four # and more\n#\u2028### Six\u2028####  ';
  expect([...findHeadings(text)].map(({ title }) => title)).toEqual(['One', 'Four # and more', 'Six', '']);
  expect([...findHeadings(text)].map(({ at }) => at)).toEqual(
    [...text.matchAll(/^#{1,4} +.*$/gm)].map(({ index }) => index),
  );
});
