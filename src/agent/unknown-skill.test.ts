import { expect, test } from 'vitest';

import { listNearest, quoteName } from './unknown-skill.ts';

test('suggestions for an unknown skill list the most similar names first, ignoring case', () => {
  expect(listNearest(['docx', 'git-commit', 'pdf', 'pdf-forms'], ['PFD'])).toBe('pdf, docx, pdf-forms, git-commit');
  expect(listNearest(['abc', 'pdx'], ['PDF'])).toBe('pdx, abc');
  expect(listNearest(['pd', 'pfd', 'pdf-and-much-more', 'pdfs'], ['pdf'])).toBe('pdfs, pd, pdf-and-much-more, pfd');
});

test('suggestions for several unknown skills rank by the closest of them, then by name', () => {
  expect(listNearest(['z', 'docs', 'y', 'pdfs', 'x'], ['pdf', 'doc'])).toBe('docs, pdfs, x, y, z');
});

test('suggestions for an unknown skill name the first twenty and count the rest', () => {
  const names = Array.from({ length: 25 }, (_, at) => `skill-${String(at).padStart(2, '0')}`);
  const line = listNearest(names, ['skill-24']);
  expect(line.startsWith('skill-24, ')).toBe(true);
  expect(line.split(', ').length).toBe(20);
  expect(line.endsWith(' and 5 more')).toBe(true);
});

test('suggestions for an unknown skill say "none" if there are no skills', () => {
  expect(listNearest([], ['pdf'])).toBe('none');
});

test('names in suggestions are truncated to 64 characters and show invisible ones', () => {
  expect(quoteName('pdf')).toBe('pdf');
  expect(quoteName('a\n\u200Bb')).toBe(String.raw`a\u{a}\u{200b}b`);
  expect(quoteName('😀'.repeat(64))).toBe('😀'.repeat(64));
  expect(quoteName('😀'.repeat(65))).toBe(`${'😀'.repeat(63)}…`);
  expect(quoteName('x'.repeat(10_000))).toBe(`${'x'.repeat(63)}…`);
  expect(listNearest(['x'.repeat(100)], ['\n'.repeat(10_000)])).toBe(`${'x'.repeat(63)}…`);
});
