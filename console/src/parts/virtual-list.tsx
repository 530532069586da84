import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /** In pixels; for rows of different heights a function, which must stay the same. */
  readonly rowHeight: number | ((item: T) => number);
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly render: (item: T, at: number) => JSX.Element;
  /** The row that must be in sight. */
  readonly current?: number | undefined;
  /** Makes it a grid: the row of column heads, which stays in sight, and the number of columns. */
  readonly grid?: GridParts | undefined;
}

interface GridParts {
  readonly head: JSX.Element;
  readonly columns: number;
}

/** Rows beyond both edges, so that scrolling shows no gaps. */
const SPARE = 8;
/** About so much of the window's height is not the list's; only until that is measured. */
const TAKEN = 120;

/** A list that draws only the rows in sight, so that thousands cost no more than a screenful. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, rowHeight, label, keyOf, render, current, grid } = props;
  const box = useRef<HTMLDivElement>(null);
  const [List, Line] = grid === undefined ? (['ul', 'li'] as const) : (['div', 'div'] as const);
  /** Where each row begins, and at the end where the last one ends. */
  const tops = useMemo(() => stack(items, rowHeight), [items, rowHeight]);
  const topOf = (at: number): number => tops[at] ?? 0;
  const [view, setView] = useState({ top: 0, height: innerHeight - TAKEN, spare: 0 });
  const measure = (): void => {
    if (box.current === null) return;
    const { scrollTop: top, clientHeight: height } = box.current;
    setView((before) =>
      top === before.top && height === before.height && before.spare > 0 ? before : { top, height, spare: SPARE },
    );
  };
  useLayoutEffect(() => {
    // It also tells the first size, once the page is laid out anyway.
    const observer = new ResizeObserver(measure);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (current === undefined || box.current === null) return;
    const [top, bottom] = [topOf(current), topOf(current + 1)];
    if (top < box.current.scrollTop) box.current.scrollTop = top;
    else {
      const room = box.current.clientHeight - (box.current.querySelector<HTMLElement>('.rows')?.offsetTop ?? 0);
      if (bottom > box.current.scrollTop + room) box.current.scrollTop = bottom - room;
    }
  }, [current]);
  const first = Math.max(0, findRow(tops, view.top) - view.spare);
  const last = Math.min(items.length, findRow(tops, view.top + view.height) + 1 + view.spare);
  return (
    <div
      class="scroller"
      ref={box}
      onScroll={measure}
      tabIndex={-1}
      {...(grid && gridProps(label, grid, items.length))}
    >
      {grid?.head}
      <List
        class="rows"
        {...(grid === undefined ? { 'aria-label': label } : { role: 'rowgroup' as const })}
        style={{ height: `${topOf(items.length)}px` }}
      >
        {items.slice(first, last).map((item, offset) => {
          const at = first + offset;
          return (
            <Line
              key={keyOf(item)}
              class={at === current ? 'row current' : 'row'}
              style={{ top: `${topOf(at)}px`, height: `${topOf(at + 1) - topOf(at)}px` }}
              {...(grid === undefined
                ? { 'aria-setsize': items.length, 'aria-posinset': at + 1 }
                : { role: 'row' as const, 'aria-rowindex': at + 2 })}
            >
              {render(item, at)}
            </Line>
          );
        })}
      </List>
    </div>
  );
}

/** Heads are the first row. */
function gridProps(label: string, { columns }: GridParts, rows: number) {
  return { role: 'grid' as const, 'aria-label': label, 'aria-rowcount': rows + 1, 'aria-colcount': columns };
}

function stack<T>(items: readonly T[], rowHeight: VirtualListProps<T>['rowHeight']): readonly number[] {
  const tops = [0];
  let top = 0;
  for (const item of items) {
    top += typeof rowHeight === 'number' ? rowHeight : rowHeight(item);
    tops.push(top);
  }
  return tops;
}

/** The last row that begins at or above this height. */
function findRow(tops: readonly number[], y: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
