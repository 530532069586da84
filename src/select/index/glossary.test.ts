import { readFileSync, statSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openGlossary } from './glossary.ts';

const FILE = 'data/chinese-english.txt';

test('the longest known word is translated, from left to right', () => {
  const glossary = openGlossary(() => '# a comment\n数据 data\n数据库 database\n迁移 migrate; migration\n');
  expect(glossary.glossesOf('数据库迁移和数据')).toEqual(['database', 'migrate; migration', 'data']);
});

test('a text without Chinese costs no reading', () => {
  const glossary = openGlossary(() => {
    throw new Error('read');
  });
  expect(glossary.glossesOf('Datenbank übertragen, データ')).toEqual([]);
});

test('the shipped file is small, names its licence, and knows everyday words of skills', () => {
  const text = readFileSync(FILE, 'utf8');
  expect(statSync(FILE).size).toBeLessThanOrEqual(200_000);
  expect(text).toContain('CC BY-SA 4.0');
  const glossary = openGlossary(() => text);
  expect(glossary.glossesOf('数据').join('\n')).toContain('data');
  expect(glossary.glossesOf('翻译文件').join('\n')).toMatch(/translat[\s\S]*(?:document|file)/);
});
