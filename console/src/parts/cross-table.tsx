import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';

/** How often a row met a column. */
export interface Crossing {
  readonly row: string;
  readonly column: string;
  readonly count: number;
  /** Examples, shown when one points at the cell. */
  readonly details: readonly string[];
}

interface CrossTableProps {
  readonly label: string;
  /** The names of both axes. */
  readonly corner: string;
  readonly crossings: readonly Crossing[];
}

/** A matrix of counts, the fullest rows and columns first; the more, the darker. */
export function CrossTable({ label, corner, crossings }: CrossTableProps): JSX.Element {
  const [rows, columns] = [orderBy(crossings, 'row'), orderBy(crossings, 'column')];
  const most = Math.max(1, ...crossings.map(({ count }) => count));
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={label}>
      <table class="table cross-table">
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column) => (
              <th key={column} scope="col" class="mono">
                {visible(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row" class="mono">
                {visible(row)}
              </th>
              {columns.map((column) => {
                const found = crossings.filter((one) => one.row === row && one.column === column);
                const count = found.reduce((sum, one) => sum + one.count, 0);
                const details = visible(found.flatMap((one) => one.details).join('\n'));
                return (
                  <td key={column} class="number" title={details}>
                    {count > 0 && <span class={`heat-${Math.ceil((3 * count) / most)}`}>{count}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function orderBy(crossings: readonly Crossing[], axis: 'row' | 'column'): readonly string[] {
  const counts = new Map<string, number>();
  for (const crossing of crossings) counts.set(crossing[axis], (counts.get(crossing[axis]) ?? 0) + crossing.count);
  return [...counts].sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1)).map(([name]) => name);
}
