const DAY_MS = 86_400_000;

/** The Monday of the week of this time, or of one that many weeks later, in UTC, as in 2026-11-16. */
export function mondayOf(time: number, later = 0): string {
  // 1970 began on a Thursday, three days after a Monday.
  const days = Math.floor(time / DAY_MS) + 3;
  return new Date((days - (days % 7) - 3 + later * 7) * DAY_MS).toISOString().slice(0, 10);
}
