import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { RULES } from '../src/audit/rules/all-rules.ts';

const README = readFileSync('README.md', 'utf8');
const RESULTS = readFileSync('bench/RESULTS.md', 'utf8');

test('README.md is between 4.5 and 6 kB', () => {
  expect(Buffer.byteLength(README)).toBeGreaterThan(4_500);
  expect(Buffer.byteLength(README)).toBeLessThan(6_144);
});

test('README.md states the counts of real skills and audit rules as they are', () => {
  const corpora = rowsOf('Real skills');
  const sum = (column: number): string =>
    corpora.reduce((all, row) => all + Number(row[column]), 0).toLocaleString('en-US');
  const words = README.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`Of ${sum(1)} real \`SKILL.md\` files, ${sum(3)} are not valid YAML`);
  expect(words).toContain(`Skillplane reads ${sum(4)} and`);
  expect(RULES.length).toBeGreaterThan(Number(/with more than (\d+) rules/.exec(words)?.[1]));
});

test('README.md states search and prompt figures as the bench measured them', () => {
  const [ours, fts] = rowsOf('Retrieval');
  const prompt = rowsOf('Catalog within a budget').find(
    ([format, budget]) => format === 'index' && budget === '2 %, 4000',
  );
  const percent = (row: readonly string[] = []): string => `${Math.round(Number(row[1]) * 100)}%`;
  const words = README.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`puts the right skill first ${percent(ours)} of the time (SQLite FTS5: ${percent(fts)})`);
  expect(words).toContain(`With 1,000 skills and a 4,000-token budget, the prompt names ${prompt?.[3]}`);
  expect(words).toContain(`alphabetical truncation names ${prompt?.[6]?.split(' ', 1)[0]}.`);
  const told = rowsOf('Lists made for a message').filter(([, , text]) => text === '`prompt({ message })`')[2];
  expect(words).toContain(
    `the right one of 300 in full ${Math.round(Number.parseFloat(told?.[4] ?? ''))}% of the time`,
  );
  const p95 = Number(/in about ([\d.]+) ms/.exec(words)?.[1]);
  // Times vary between runs; the bench itself has the last one.
  expect(p95).toBeLessThan(3 * Number.parseFloat(ours?.[7] ?? ''));
  expect(p95).toBeGreaterThan(Number.parseFloat(ours?.[7] ?? '') / 3);
});

/** The rows of a table of the last results, without its head. */
function rowsOf(title: string): readonly (readonly string[])[] {
  const section = RESULTS.split('\n## ').find((text) => text.startsWith(`${title}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
