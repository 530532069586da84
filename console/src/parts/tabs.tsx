import type { JSX } from 'preact';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly count?: number | undefined;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly onChoose: (id: string) => void;
}

/** Tabs over a panel with the id `panel`; arrow keys move between them. */
export function Tabs({ label, tabs, current, onChoose }: TabsProps): JSX.Element {
  const move = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = tabs.findIndex(({ id }) => id === current);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    document.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, title, count }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === current}
          aria-controls="panel"
          tabIndex={id === current ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {title}
          {count !== undefined && count > 0 && <span class="count"> {count}</span>}
        </button>
      ))}
    </div>
  );
}
