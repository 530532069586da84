import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { findTemplateText, placeholderDescription } from './template-text.ts';

const TEMPLATES = ['basic', 'script', 'toolset', 'reference'];

test.for(TEMPLATES)(
  'the search for template text finds the sentences of the template %s that its author must replace',
  (name) => {
    const text = readFileSync(`data/templates/${name}/instructions.md`, 'utf8');
    const lines = text.split('\n');
    const found = findTemplateText(text).map((line) => lines[line - 1]);
    expect(found[0]).toBe('One or two sentences: what exists when this is done, and how to tell that it is right.');
    expect(found.length).toBeGreaterThan(1);
  },
);

test('the search for template text knows no sentence that no template has', () => {
  const texts = TEMPLATES.map((name) => readFileSync(`data/templates/${name}/instructions.md`, 'utf8'));
  const source = readFileSync('src/parse/strict/template-text.ts', 'utf8');
  const sentences = [...source.matchAll(/^ {2}'(.+)',$/gm)].map(([, sentence = '']) => sentence);
  expect(sentences.length).toBeGreaterThan(5);
  for (const sentence of sentences) expect(texts.some((text) => text.includes(sentence))).toBe(true);
});

test('the search for template text finds the description that new writes, and leaves own words alone', () => {
  const text = `---\nname: pdf\ndescription: ${placeholderDescription('pdf')}\n---\n\n# Pdf\n\nFill in the form first.\n`;
  expect(findTemplateText(text)).toEqual([3]);
});
