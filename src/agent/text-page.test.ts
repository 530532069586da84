import { expect, test } from 'vitest';

import { cutMiddle, MAX_PAGE_LENGTH, textPage } from './text-page.ts';

test('a text within the page length is one page', () => {
  expect(textPage('abc')).toEqual({ text: 'abc', start: 0, end: 3, isWhole: true, next: undefined });
  expect(textPage('')).toEqual({ text: '', start: 0, end: 0, isWhole: true, next: undefined });
  expect(textPage('x'.repeat(MAX_PAGE_LENGTH))).toMatchObject({ isWhole: true, next: undefined });
});

test('the pages of a long text follow each other without gap or overlap', () => {
  const text = `${'a'.repeat(MAX_PAGE_LENGTH - 1)}😀${'b'.repeat(MAX_PAGE_LENGTH)}`;
  const pages: string[] = [];
  for (let next: number | undefined = 0; next !== undefined;) {
    const page = textPage(text, next);
    expect(page.isWhole).toBe(false);
    expect(page.text).toBe(text.slice(page.start, page.end));
    expect(page.text.isWellFormed()).toBe(true);
    pages.push(page.text);
    ({ next } = page);
  }
  expect(pages.length).toBe(3);
  expect(pages.join('')).toBe(text);
});

test('a page may start inside a character or beyond the end of the text', () => {
  expect(textPage('a😀b', 2)).toMatchObject({ text: '😀b', start: 1, isWhole: false });
  expect(textPage('abc', 9)).toEqual({ text: '', start: 3, end: 3, isWhole: false, next: undefined });
});

test('a text that is too long has its middle replaced by a note', () => {
  expect(cutMiddle('abc', 3)).toBe('abc');
  expect(cutMiddle('abcdefgh', 5)).toBe('abc\n[… 3 characters omitted …]\ngh');
  expect(cutMiddle('ab😀cdefg', 6)).toBe('ab\n[… 4 characters omitted …]\nefg');
  expect(cutMiddle('abcdef😀g', 4)).toBe('ab\n[… 4 characters omitted …]\n😀g');
});
