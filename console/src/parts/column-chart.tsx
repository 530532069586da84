import type { JSX } from 'preact';

import { Legend } from './legend.tsx';

/** One column: its label, and a number for each series. */
export interface Column {
  readonly label: string;
  readonly values: readonly number[];
}

interface ColumnChartProps {
  readonly label: string;
  readonly series: readonly string[];
  readonly columns: readonly Column[];
  readonly height?: number;
}

const WIDTH = 960;

/** Stacked columns over time, with a table of the same numbers for screen readers. */
export function ColumnChart({ label, series, columns, height = 160 }: ColumnChartProps): JSX.Element {
  const totals = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(1, ...totals);
  const step = WIDTH / Math.max(1, columns.length);
  const base = height - 18;
  const yOf = (value: number): number => (value / most) * (base - 14);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" y1={base} x2={WIDTH} y2={base} class="axis" />
        {columns.map(({ label: title, values }, at) => {
          let below = 0;
          return (
            <g key={title}>
              <title>{`${title}: ${totals[at] ?? 0}`}</title>
              {values.map((value, which) => {
                const y = base - yOf(below + value);
                below += value;
                return (
                  <rect
                    key={which}
                    class={`series-${which % 5}`}
                    x={at * step + step * 0.15}
                    y={y}
                    width={step * 0.7}
                    height={yOf(value)}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <div class="chart-labels muted" aria-hidden="true">
        <span>{columns[0]?.label}</span>
        <span>most: {most}</span>
        <span>{columns.at(-1)?.label}</span>
      </div>
      {series.length > 1 && <Legend names={series} />}
      <table class="unseen">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map(({ label: title, values }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {values.map((value, which) => (
                <td key={which}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
