import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

import type { SkillRow } from '../lib/answers.ts';
import { useKeys } from '../lib/keyboard.ts';
import { choose, go, route } from '../lib/route.ts';
import { useSession } from '../lib/session.ts';
import { filterRows, rankRows, type RankedRow } from '../lib/skill-filter.ts';
import { switchSkills } from '../lib/switching.ts';
import { useRead } from '../lib/use-read.ts';
import { Link } from '../parts/link.tsx';
import { wordsOf } from '../parts/marked.tsx';
import { NoMatch } from '../parts/no-match.tsx';
import { NotComplete } from '../parts/not-complete.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { SelectionBar } from './skills/selection-bar.tsx';
import { SkillCounts } from './skills/skill-counts.tsx';
import { SkillFilters } from './skills/skill-filters.tsx';
import { SkillLine } from './skills/skill-line.tsx';

const ROW_HEIGHT = 34;
/** Keys of the address that leave rows out. */
const FILTERS = ['q', 'source', 'host', 'state', 'trust', 'audit', 'tag'] as const;
const NONE: readonly SkillRow[] = [];

/** Every skill: searched, filtered, switched on and off. */
export function SkillsPage(): JSX.Element {
  const { params } = route.value;
  const query = params['q'] ?? '';
  const isNarrowed = FILTERS.some((key) => (params[key] ?? '').trim() !== '');
  const listed = useRead('skills', {});
  const found = useRead('search', query.trim() === '' ? undefined : { query });
  const { hosts } = useSession();
  // Only this filter needs what every host sees of every skill.
  const seen = useRead('hosts', params['host'] === undefined ? undefined : {}).value;
  const recent = useRead('usage/recent', {}).value;
  const uses = useMemo(() => new Map(recent?.skills.map((use) => [use.name, use])), [recent]);
  const rows = listed.value?.skills ?? NONE;
  const filtered = useMemo(() => filterRows(rows, params, seen), [rows, params, seen]);
  const ranking = query.trim() === '' || !found.isCurrent ? undefined : found.value;
  const results = ranking?.results;
  const ranked = useMemo(() => rankRows(filtered, query, results), [filtered, query, results]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useCurrentRow(ranked.length, query);
  const toggle = useCallback((name: string) => setSelected((before) => toggled(before, name)), []);
  useListKeys({ ranked, current, setCurrent, selected, toggle });
  const words = useMemo(() => wordsOf(query), [query]);
  if (listed.failure !== undefined) return <Trouble failure={listed.failure} />;
  return (
    <div class="page skills">
      <h1 class="unseen">Skills</h1>
      <SkillCounts list={listed.value} shown={isNarrowed ? ranked.length : undefined} />
      <SkillFilters rows={rows} hosts={hosts} params={params} onChoose={choose} />
      <NotComplete gaps={ranking?.partial ?? []} />
      {listed.value !== undefined && ranked.length === 0 ? (
        <NothingFound hasSkills={isNarrowed} />
      ) : (
        <VirtualList
          items={ranked}
          rowHeight={ROW_HEIGHT}
          label="Skills"
          keyOf={({ row }) => row.file}
          current={current}
          render={(entry, at) => (
            <SkillLine
              {...entry}
              words={words}
              use={uses.get(entry.row.name)}
              isSelected={selected.has(entry.row.name)}
              at={at}
              onSelect={toggle}
              onFocus={setCurrent}
            />
          )}
        />
      )}
      <SelectionBar names={[...selected]} onClear={() => setSelected(new Set())} />
    </div>
  );
}

function NothingFound({ hasSkills }: { readonly hasSkills: boolean }): JSX.Element {
  return hasSkills ? (
    <NoMatch onClear={() => go('skills')} />
  ) : (
    <div class="empty">
      <p>There are no skills yet.</p>
      <p class="muted">
        <code>skillplane new my-skill</code> writes one, <code>skillplane install owner/repo</code> brings some.
      </p>
      <Link page="installed" class="button">
        Install from an address
      </Link>
    </div>
  );
}

/** The row that keys act on; a new search begins at the first. */
function useCurrentRow(count: number, query: string): readonly [number | undefined, (at: number | undefined) => void] {
  const [current, setCurrent] = useState<number>();
  useEffect(() => setCurrent(undefined), [query]);
  return [current === undefined ? undefined : Math.min(current, count - 1), setCurrent];
}

interface ListKeys {
  readonly ranked: readonly RankedRow[];
  readonly current: number | undefined;
  readonly setCurrent: (at: number) => void;
  readonly selected: ReadonlySet<string>;
  readonly toggle: (name: string) => void;
}

function useListKeys({ ranked, current, setCurrent, selected, toggle }: ListKeys): void {
  const row = current === undefined ? undefined : ranked[current]?.row;
  const move = (by: number): void => {
    const next = Math.max(0, Math.min(ranked.length - 1, (current ?? -1) + by));
    setCurrent(next);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.row.current .name')?.focus());
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: () => row && toggle(row.name),
    e: () => {
      const names = selected.size > 0 ? [...selected] : row === undefined ? [] : [row.name];
      const first = ranked.find((entry) => names.includes(entry.row.name))?.row;
      if (names.length > 0) void switchSkills(names, first?.state === 'disabled' ? 'enabled' : 'disabled');
    },
    t: () => row && go('skill', { name: row.name, tab: 'trust' }),
  });
}

function toggled(before: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(name)) after.add(name);
  return after;
}
