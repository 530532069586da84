import { readFileSync, statSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openGlossary } from './glossary.ts';

const FILE = 'data/chinese-english.txt';

test('the glossary translates the longest known Chinese word, from left to right', () => {
  const glossary = openGlossary(() => '# a comment\n数据 data\n数据库 database\n迁移 migrate; migration\n');
  expect(glossary.glossesOf('数据库迁移和数据')).toEqual(['database', 'migrate; migration', 'data']);
});

test('the glossary is not loaded for a text without Chinese', () => {
  const glossary = openGlossary(() => {
    throw new Error('read');
  });
  expect(glossary.glossesOf('Datenbank übertragen, データ')).toEqual([]);
});

test('the shipped glossary is small, names its licence and knows common words', () => {
  const text = readFileSync(FILE, 'utf8');
  expect(statSync(FILE).size).toBeLessThanOrEqual(200_000);
  expect(text).toContain('CC BY-SA 4.0');
  const glossary = openGlossary(() => text);
  expect(glossary.glossesOf('数据').join('\n')).toContain('data');
  expect(glossary.glossesOf('翻译文件').join('\n')).toMatch(/translat[\s\S]*(?:document|file)/);
});
