import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly render: (item: T, at: number) => JSX.Element;
  /** The row that must be in sight. */
  readonly current?: number | undefined;
}

/** Rows beyond both edges, so that scrolling shows no gaps. */
const SPARE = 8;
/** About so much of the window's height is not the list's; only until that is measured. */
const TAKEN = 120;

/** A list that draws only the rows in sight, so that thousands cost no more than a screenful. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, rowHeight, label, keyOf, render, current } = props;
  const box = useRef<HTMLDivElement>(null);
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
    const [top, bottom] = [current * rowHeight, (current + 1) * rowHeight];
    if (top < box.current.scrollTop) box.current.scrollTop = top;
    else if (bottom > box.current.scrollTop + box.current.clientHeight)
      box.current.scrollTop = bottom - box.current.clientHeight;
  }, [current]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - view.spare);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + view.spare);
  return (
    <div class="scroller" ref={box} onScroll={measure} tabIndex={-1}>
      <ul class="rows" aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, offset) => {
          const at = first + offset;
          return (
            <li
              key={keyOf(item)}
              class={at === current ? 'row current' : 'row'}
              style={{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}
              aria-setsize={items.length}
              aria-posinset={at + 1}
            >
              {render(item, at)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
