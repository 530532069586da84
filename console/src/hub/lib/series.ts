import type { Column } from '../../parts/column-chart.tsx';

export interface Counted {
  readonly week: string;
  readonly name: string;
  readonly count: number;
}

/** More would be hard to tell apart. */
const MOST_SERIES = 5;

/** Columns by week, stacked by name: those with most uses, and the others together. */
export function toColumns(
  counts: readonly Counted[],
  weeks: readonly string[],
): { readonly series: readonly string[]; readonly columns: readonly Column[] } {
  const totals = new Map<string, number>();
  for (const { name, count } of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  const names = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
  const series = names.length <= MOST_SERIES ? names : [...names.slice(0, MOST_SERIES - 1), 'others'];
  const seriesOf = (name: string): number => (series.includes(name) ? series.indexOf(name) : series.length - 1);
  const columns = weeks.map((week) => {
    const values = series.map(() => 0);
    for (const { name, count } of counts.filter((one) => one.week === week))
      values[seriesOf(name)] = (values[seriesOf(name)] ?? 0) + count;
    return { label: week, values };
  });
  return { series, columns };
}
