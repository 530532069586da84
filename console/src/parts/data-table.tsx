import type { ComponentChildren, JSX } from 'preact';

/** The head of a column: its title, and whether it has numbers or a title that only a screen reader says. */
export type ColumnHead = string | readonly [title: string, kind: 'number' | 'unseen'];

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly ColumnHead[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways by itself where it is wider than the page, by keyboard, too. */
export function DataTable({ label, columns, children }: DataTableProps): JSX.Element {
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((head) => {
              const [title, kind] = typeof head === 'string' ? [head, undefined] : head;
              return (
                <th key={title} scope="col" class={kind === 'number' ? 'number' : undefined}>
                  {kind === 'unseen' ? <span class="unseen">{title}</span> : title}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
