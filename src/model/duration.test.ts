import { expect, test } from 'vitest';

import { MAX_TIMEOUT_MS, parseDuration, parseTimeout } from './duration.ts';

test.each([
  ['500ms', 500],
  ['60s', 60_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['4w', 2_419_200_000],
])('"%s" is read as a duration and as a time limit', (text, length) => {
  expect(parseDuration(text)).toBe(length);
  expect(parseTimeout(text)).toBe(length);
});

test.each(['', 's', '0s', '0', '-1s', '1.5s', '60 s', '60S', '60sec', '1m30s', '60s\n', '99999999999s', 'soon'])(
  '%j is refused as a duration and as a time limit',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
    expect(parseTimeout(text)).toBeUndefined();
  },
);

test('a plain number is a time limit in milliseconds, but not a duration', () => {
  expect(parseTimeout('300')).toBe(300);
  expect(parseDuration('300')).toBeUndefined();
});

test('a time limit above the maximum is refused in any unit', () => {
  expect(parseTimeout(String(MAX_TIMEOUT_MS))).toBe(MAX_TIMEOUT_MS);
  expect(parseTimeout(String(MAX_TIMEOUT_MS + 1))).toBeUndefined();
  expect(parseTimeout('52w')).toBeUndefined();
});
