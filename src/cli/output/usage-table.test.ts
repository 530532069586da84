import { describe, expect, test } from 'vitest';

import { displayWidth } from '../../model/display-width.ts';
import type { SkillReport } from '../../usage/usage-report.ts';
import { describeAge, drawChart, layOutTable } from './usage-table.ts';

const NOW = Date.UTC(2026, 0, 31);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000] as const;

function skill(name: string, given: Partial<SkillReport> = {}): SkillReport {
  const hosts = { invoked: 0, shown: 0, cut: 0, hinted: 0, followed: 0, tokens: 0, agents: {} };
  const counts = { uses: 1, loaded: 1, ran: 0, searched: 0, matched: 0, failed: 0, ...hosts };
  const series = Array.from({ length: 24 }, (_, at) => (at === 23 ? 1 : 0));
  return { name, exists: true, ...counts, lastUsed: NOW - HOUR, series, trend: 'steady', ...given };
}

function lines(skills: readonly SkillReport[], columns = 80): readonly string[] {
  return layOutTable(skills, { columns, now: NOW }).map((row) =>
    row.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''),
  );
}

describe('the usage table', () => {
  test('has name, chart, uses, last use and trend in columns', () => {
    const skills = [
      skill('pdf', { uses: 120, trend: 'rising' }),
      skill('spreadsheets', { uses: 7, lastUsed: NOW - 3 * DAY, trend: 'new' }),
      skill('old', { exists: false, trend: 'falling', series: Array.from({ length: 24 }, () => 2) }),
    ];
    expect(lines(skills)).toEqual([
      'pdf           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█  120  1 h ago  ↑',
      'spreadsheets  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█    7  3 d ago  new',
      'old (gone)    ████████████████████████    1  1 h ago  ↓',
    ]);
  });

  test('is empty without skills', () => {
    expect(lines([])).toEqual([]);
  });

  test('draws shorter charts, then truncates names, if there is less space', () => {
    const skills = [skill('a-rather-long-name')];
    expect(lines(skills, 61)[0]).toMatch(/^a-rather-long-name {2}▁{23}█ {2}1 {2}1 h ago {2}→$/);
    expect(lines(skills, 60)[0]).toMatch(/^a-rather-long-name {2}▁{11}█ {2}1 {2}1 h ago {2}→$/);
    expect(lines(skills, 48)[0]).toMatch(/^a-rather-long-name {2}▁{5}█ {2}1 {2}1 h ago {2}→$/);
    expect(lines(skills, 40)[0]).toMatch(/^a-rather-long-… {2}▁{5}█ {2}1 {2}1 h ago {2}→$/);
  });

  test('adds up the uses that share one bar', () => {
    const series = Array.from({ length: 24 }, (_, at) => (at < 4 ? 1 : 0));
    expect(lines([skill('a-rather-long-name', { series })], 48)[0]).toContain(' █▁▁▁▁▁ ');
    expect(lines([skill('a-rather-long-name', { series })], 60)[0]).toContain(` ██${'▁'.repeat(10)} `);
  });

  test('truncates long names before it shortens charts', () => {
    expect(lines([skill('x'.repeat(100))], 80)[0]).toMatch(/^x{36}… {2}▁{23}█ {2}/);
  });

  test.each([40, 47, 60, 80, 200])('fits into %i columns', (columns) => {
    const skills = [skill('x'.repeat(100)), skill('表'.repeat(60)), skill('short', { trend: 'new', uses: 123_456 })];
    for (const line of lines(skills, columns)) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('stays aligned for names of any characters, and escapes control characters', () => {
    const rows = lines([skill('表計算'), skill('\u001B[2J'), skill('plain')]);
    const columns = rows.map((row) => displayWidth(row.slice(0, row.indexOf('▁'))));
    expect(new Set(columns).size).toBe(1);
    expect(rows[1]).toContain('\\u{1b}[2J');
  });
});

test.each([
  [[0, 0], '▁▁'],
  [[0, 1], '▁█'],
  [[1, 100], '▂█'],
  [[0, 1, 2, 3, 4, 5, 6, 7], '▁▂▃▄▅▆▇█'],
  [[], ''],
])('the usage chart of %j is %s', (series, chart) => {
  expect(drawChart(series)).toBe(chart);
});

test.each([
  [-5, 'just now'],
  [59_999, 'just now'],
  [MINUTE, '1 min ago'],
  [HOUR - 1, '59 min ago'],
  [HOUR, '1 h ago'],
  [DAY - 1, '23 h ago'],
  [DAY, '1 d ago'],
  [14 * DAY - 1, '13 d ago'],
  [14 * DAY, '2 w ago'],
  [365 * DAY - 1, '52 w ago'],
  [365 * DAY, '1 y ago'],
  [800 * DAY, '2 y ago'],
])('an age of %i milliseconds is printed as %s', (milliseconds, text) => {
  expect(describeAge(milliseconds)).toBe(text);
});
