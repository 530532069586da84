import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

import { useAgentMarks } from '../lib/agent-marks.ts';
import type { SkillRow } from '../lib/answers.ts';
import { foundUpdates } from '../lib/attention.ts';
import { useKeys } from '../lib/keyboard.ts';
import { choose, go, route } from '../lib/route.ts';
import { useSession } from '../lib/session.ts';
import { FILTER_KEYS, filterRows, rankRows, VIEWS, type RankedRow, type View } from '../lib/skill-filter.ts';
import type { SkillProblem } from '../lib/skill-problem.ts';
import { switchSkills } from '../lib/switching.ts';
import { useNarrow } from '../lib/use-narrow.ts';
import { useProblems, type ProblemsBySkill } from '../lib/use-problems.ts';
import { useRead } from '../lib/use-read.ts';
import { counted, grouped } from '../lib/words.ts';
import { MarkLegend } from '../parts/agent-marks.tsx';
import { Link } from '../parts/link.tsx';
import { wordsOf } from '../parts/marked.tsx';
import { NoMatch } from '../parts/no-match.tsx';
import { NotComplete } from '../parts/not-complete.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { AuditRest } from './skills/audit-rest.tsx';
import { FilterMenu } from './skills/filter-menu.tsx';
import { SelectionBar } from './skills/selection-bar.tsx';
import { SkillLine } from './skills/skill-line.tsx';

const NONE: readonly SkillRow[] = [];

/** A line of the list: the heading of a group, or a skill. */
type Line =
  | { readonly kind: 'group'; readonly title: string; readonly count: number; readonly isFirst: boolean }
  | ({ readonly kind: 'skill'; readonly problem: SkillProblem | undefined } & RankedRow);

/** Every skill: those with problems first, searched, filtered, switched on and off. */
export function SkillsPage(): JSX.Element {
  const { params } = route.value;
  const query = params['q'] ?? '';
  const view = VIEWS.find((one) => one === params['show']);
  const isNarrowed = [...FILTER_KEYS, 'q', 'show'].some((key) => (params[key] ?? '').trim() !== '');
  const listed = useRead('skills', {});
  const found = useRead('search', query.trim() === '' ? undefined : { query });
  const { hosts, isReadOnly } = useSession();
  const marksOf = useAgentMarks(listed.value !== undefined);
  const recent = useRead('usage/recent', {}).value;
  const uses = useMemo(() => new Map(recent?.skills.map((use) => [use.name, use])), [recent]);
  const rows = listed.value?.skills ?? NONE;
  const problems = useProblems().skills;
  const filtered = useMemo(() => {
    const inView = rows.filter((row) => isInView(row, view, problems));
    return filterRows(inView, params, marksOf);
  }, [rows, params, marksOf, problems]);
  const ranking = query.trim() === '' || !found.isCurrent ? undefined : found.value;
  const results = ranking?.results;
  const ranked = useMemo(() => rankRows(filtered, query, results), [filtered, query, results]);
  const lines = useMemo(() => toLines(ranked, problems, query.trim() === ''), [ranked, problems, query]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useCurrentRow(lines.length, query);
  const toggle = useCallback((name: string) => setSelected((before) => toggled(before, name)), []);
  useListKeys({ lines, current, setCurrent, selected, toggle });
  const words = useMemo(() => wordsOf(query), [query]);
  const isNarrow = useNarrow();
  const heightOf = useCallback((line: Line) => heightFor(line, isNarrow), [isNarrow]);
  if (listed.failure !== undefined) return <Trouble failure={listed.failure} />;
  const isAllSelected = ranked.length > 0 && ranked.every(({ row }) => selected.has(row.name));
  return (
    <div class="page skills" style={{ '--agents': hosts.length }}>
      <div class="head">
        <h1>Skills</h1>
        <ViewTabs rows={rows} view={view} problems={problems.size} />
        <span class="unseen" role="status">
          {isNarrowed ? `${counted(ranked.length, 'skill')} shown` : ''}
        </span>
        <div class="actions">
          {!isReadOnly && <AuditRest rows={rows} />}
          <FilterMenu rows={rows} marksOf={marksOf} params={params} shown={ranked.length} />
          {!isReadOnly && (
            <Link page="installed" class="button main">
              Install skills
            </Link>
          )}
        </div>
      </div>
      {listed.value?.off.map(({ source, path, skills }) => (
        <p key={path} class="muted off" title={path}>
          {counted(skills, 'skill')} in {source}, which is turned off
        </p>
      ))}
      <NotComplete gaps={ranking?.partial ?? []} />
      {listed.value !== undefined && ranked.length === 0 ? (
        <NothingFound hasSkills={isNarrowed} />
      ) : (
        <>
          <div class="skill-row column-heads">
            {!isReadOnly && (
              <input
                type="checkbox"
                aria-label="Select all"
                checked={isAllSelected}
                onChange={() => setSelected(new Set(isAllSelected ? [] : ranked.map(({ row }) => row.name)))}
              />
            )}
            <span aria-hidden="true">Name</span>
            <span aria-hidden="true">Agents</span>
            <span aria-hidden="true">{query.trim() === '' ? 'Description' : 'Description and reason'}</span>
            <span aria-hidden="true">12 weeks</span>
            <span aria-hidden="true" class="number">
              Uses
            </span>
          </div>
          <VirtualList
            items={lines}
            rowHeight={heightOf}
            label="Skills"
            keyOf={(line) => (line.kind === 'group' ? line.title : line.row.file)}
            current={current}
            render={(line, at) =>
              line.kind === 'group' ? (
                <div class="group-head">
                  <h2>
                    {line.title} <span class="count">{grouped(line.count)}</span>
                  </h2>
                  {line.isFirst && hosts.length > 0 && <MarkLegend agents={hosts} />}
                </div>
              ) : (
                <SkillLine
                  row={line.row}
                  found={line.found}
                  problem={line.problem}
                  marks={marksOf(line.row)}
                  words={words}
                  use={uses.get(line.row.name)}
                  isSelected={selected.has(line.row.name)}
                  at={at}
                  onSelect={toggle}
                  onFocus={setCurrent}
                />
              )
            }
          />
        </>
      )}
      <SelectionBar names={[...selected]} onClear={() => setSelected(new Set())} />
    </div>
  );
}

const HEIGHTS = { group: [38, 38], first: [38, 76], skill: [34, 50], problem: [37, 74] } as const;

function heightFor(line: Line, isNarrow: boolean): number {
  const kind =
    line.kind === 'group' ? (line.isFirst ? 'first' : 'group') : line.problem === undefined ? 'skill' : 'problem';
  return HEIGHTS[kind][isNarrow ? 1 : 0];
}

function isInView(row: SkillRow, view: View | undefined, problems: ProblemsBySkill): boolean {
  if (view === 'problems') return problems.has(row);
  if (view === 'disabled') return row.state === 'disabled' && row.shadowedBy === undefined;
  return view === undefined || foundUpdates.value?.updates.some(({ name }) => name === row.name) === true;
}

/** Skills with problems come first, under a heading; a search has an order of its own. */
function toLines(ranked: readonly RankedRow[], problems: ProblemsBySkill, isGrouped: boolean): readonly Line[] {
  const lines = ranked.map((one): Line & { readonly kind: 'skill' } => ({
    kind: 'skill',
    ...one,
    problem: problems.get(one.row),
  }));
  const faulty = lines.filter(({ problem }) => problem !== undefined);
  if (!isGrouped) return lines;
  const sound = lines.filter(({ problem }) => problem === undefined);
  const groups = [
    { title: 'Problems', some: faulty },
    { title: 'Skills', some: sound },
  ].filter(({ some }) => some.length > 0);
  return groups.flatMap(({ title, some }, at): readonly Line[] => [
    { kind: 'group', title, count: some.length, isFirst: at === 0 },
    ...some,
  ]);
}

interface ViewTabsProps {
  readonly rows: readonly SkillRow[];
  readonly view: View | undefined;
  readonly problems: number;
}

/** The views that people want most, with their numbers; one without skills is not offered. */
function ViewTabs({ rows, view, problems }: ViewTabsProps): JSX.Element {
  const used = rows.filter(({ shadowedBy, state }) => shadowedBy === undefined || state === 'broken');
  const views: readonly (readonly [View | undefined, string, number])[] = [
    [undefined, 'All', used.length],
    ['problems', 'Problems', problems],
    ['disabled', 'Disabled', used.filter(({ state }) => state === 'disabled').length],
    ['updates', 'Updates', foundUpdates.value?.updates.length ?? 0],
  ];
  return (
    <div class="view-tabs" role="group" aria-label="Show">
      {views
        .filter(([id, , count]) => count > 0 || id === undefined || id === view)
        .map(([id, title, count]) => (
          <button key={title} type="button" aria-pressed={id === view} onClick={() => choose({ show: id })}>
            {title} <span class="count">{grouped(count)}</span>
          </button>
        ))}
    </div>
  );
}

function NothingFound({ hasSkills }: { readonly hasSkills: boolean }): JSX.Element {
  const { isReadOnly } = useSession();
  if (hasSkills) return <NoMatch onClear={() => go('skills')} />;
  return (
    <div class="empty">
      <p>There are no skills yet.</p>
      <p class="muted">
        A skill is a folder with a <code>SKILL.md</code>: instructions for an agent, with the files that they need.
      </p>
      {!isReadOnly && (
        <Link page="installed" class="button main">
          Install skills
        </Link>
      )}
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
  readonly lines: readonly Line[];
  readonly current: number | undefined;
  readonly setCurrent: (at: number) => void;
  readonly selected: ReadonlySet<string>;
  readonly toggle: (name: string) => void;
}

function useListKeys({ lines, current, setCurrent, selected, toggle }: ListKeys): void {
  const { isReadOnly } = useSession();
  const line = current === undefined ? undefined : lines[current];
  const row = line?.kind === 'skill' ? line.row : undefined;
  const move = (by: 1 | -1): void => {
    let next = (current ?? -1) + by;
    while (lines[next]?.kind === 'group') next += by;
    if (lines[next] === undefined) return;
    setCurrent(next);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.row.current .name')?.focus());
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: () => row && !isReadOnly && toggle(row.name),
    e: () => {
      const names = selected.size > 0 ? [...selected] : row === undefined ? [] : [row.name];
      const first = lines.find((each) => each.kind === 'skill' && names.includes(each.row.name));
      if (isReadOnly || first?.kind !== 'skill') return;
      void switchSkills(names, first.row.state === 'disabled' ? 'enabled' : 'disabled');
    },
    t: () => row && go('skill', { name: row.name, tab: 'trust' }),
  });
}

function toggled(before: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(name)) after.add(name);
  return after;
}
