/** A time as text, in UTC: `2026-01-31T10:00:00.000Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day of a time, in UTC: `2026-01-31`. */
export function isoDay(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

/** A time for people, in UTC: `2026-01-31 10:00`. */
export function showMinute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
