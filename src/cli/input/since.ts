const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

/**
 * Parses an age such as `7d`, or a date in ISO 8601, to milliseconds since 1970. Undefined for other text, for the
 * future, and for days that do not exist. A date without a time means midnight UTC.
 */
export function parseSince(text: string, now: number): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const length = Number(amount) * (UNITS[unit] ?? 0);
  if (length > 0) return Math.max(0, now - length);
  const time = parseDate(text);
  return time !== undefined && time >= 0 && time < now ? time : undefined;
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

function parseDate(text: string): number | undefined {
  const day = DATE.exec(text)?.[1];
  const time = Date.parse(text);
  if (day === undefined || Number.isNaN(time)) return undefined;
  // Date.parse turns 31 February into a day in March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? time : undefined;
}
