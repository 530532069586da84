import { parseDuration } from '../../model/duration.ts';

/**
 * Parses an age such as `7d`, or a date in ISO 8601, to milliseconds since 1970. Undefined for other text, for the
 * future, and for days that do not exist. A date without a time means midnight UTC.
 */
export function parseSince(text: string, now: number): number | undefined {
  const length = parseDuration(text);
  if (length !== undefined) return Math.max(0, now - length);
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
