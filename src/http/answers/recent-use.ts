import type { ReadAnswer } from '../console-context.ts';

const WEEKS = 12;
const WEEK_MS = 7 * 86_400_000;

/** The uses of each skill by week. */
export const recentUse: ReadAnswer<'usage/recent'> = async ({ skills, now }) => {
  const until = now();
  const reported = await skills.usageReport({ since: until - WEEKS * WEEK_MS, until });
  if (!reported.ok) return reported;
  const rows = reported.report?.skills ?? [];
  return {
    ok: true,
    skills: rows
      .filter(({ uses, exists }) => exists && uses > 0)
      .map(({ name, uses, series, lastUsed }) => ({
        name,
        uses,
        weeks: foldSeries(series),
        lastUsed: lastUsed === undefined ? null : new Date(lastUsed).toISOString(),
      })),
  };
};

/** A report divides its period into more parts than there are weeks. */
function foldSeries(series: readonly number[]): readonly number[] {
  const size = series.length / WEEKS;
  return Array.from({ length: WEEKS }, (_, at) =>
    series.slice(Math.floor(at * size), Math.floor((at + 1) * size)).reduce((sum, uses) => sum + uses, 0),
  );
}
