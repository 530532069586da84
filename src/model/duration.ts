const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
};

/** Parses `500ms`, `60s`, `2m`, `1h`, `7d` or `4w` to milliseconds. Undefined for other text and for nothing at all (`0s`). */
export function parseDuration(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,10})(ms|[smhdw])$/.exec(text) ?? [];
  const length = Number(amount) * (UNITS[unit] ?? 0);
  return length > 0 ? length : undefined;
}

/** Almost four months; far beyond it, the limits of the operating system would overflow. */
export const MAX_TIMEOUT_MS = 9_999_999_999;

/** Parses a time limit: a duration, or a plain number of milliseconds. Undefined for other text and beyond the maximum. */
export function parseTimeout(text: string): number | undefined {
  const length = parseDuration(/^\d+$/.test(text) ? `${text}ms` : text);
  return length !== undefined && length <= MAX_TIMEOUT_MS ? length : undefined;
}

/** Describes the forms that `parseTimeout` accepts, for messages. */
export const TIMEOUT_FORMS = 'a time such as 60s, 2m, 500ms or 1h, or a number of milliseconds';
