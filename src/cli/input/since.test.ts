import { expect, test } from 'vitest';

import { parseSince } from './since.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR = 3_600_000;

test.each([
  ['90s', NOW - 90_000],
  ['30m', NOW - HOUR / 2],
  ['12h', NOW - 12 * HOUR],
  ['7d', NOW - 7 * 24 * HOUR],
  ['4w', NOW - 28 * 24 * HOUR],
  ['999999w', 0],
  ['2026-01-30', Date.UTC(2026, 0, 30)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-01-31T10:00Z', NOW - 2 * HOUR],
  ['2026-01-31T10:00:30.5+01:00', NOW - 3 * HOUR + 30_500],
  ['1970-01-01', 0],
])('--since accepts %s', (text, time) => {
  expect(parseSince(text, NOW)).toBe(time);
});

test.each([
  '',
  '7',
  'd',
  '0d',
  '-7d',
  '7 d',
  '1.5d',
  '7D',
  '7days',
  '100000000000d',
  '7d7h',
  'yesterday',
  '2026',
  '2026-1-1',
  '31.01.2026',
  '2025-02-31',
  '2025-02-29T10:00Z',
  '2026-13-01',
  '2026-01-30 10:00',
  '2026-01-30T25:00Z',
  '2026-01-31T12:00Z',
  '2027-01-01',
  '1969-12-31',
  '7d\n',
])('--since refuses %j', (text) => {
  expect(parseSince(text, NOW)).toBeUndefined();
});
