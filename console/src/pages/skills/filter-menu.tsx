import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { MarksOf } from '../../lib/agent-marks.ts';
import type { ConsoleSession, SkillRow } from '../../lib/answers.ts';
import { choose, type Route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { FILTER_KEYS, readChosen, toggleChosen, valuesOf, type FilterKey } from '../../lib/skill-filter.ts';
import { folderOf } from '../../lib/skill-problem.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped, shortPath } from '../../lib/words.ts';

interface FilterMenuProps {
  readonly rows: readonly SkillRow[];
  readonly marksOf: MarksOf;
  readonly params: Route['params'];
  /** How many rows pass. */
  readonly shown: number;
}

const TITLES: Readonly<Record<FilterKey, string>> = {
  state: 'State',
  agent: 'Agent',
  source: 'Folder',
  trust: 'Trust',
  audit: 'Audit',
  tag: 'Tag',
};
const MOST_TAGS = 60;

/** Every filter in one menu; what is chosen shows beside it and goes away by a click. */
export function FilterMenu({ rows, marksOf, params, shown }: FilterMenuProps): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null);
  const { hosts, home } = useSession();
  const counts = useMemo(() => countValues(rows, marksOf), [rows, marksOf]);
  const labels = useMemo(() => nameFolders(rows, home), [rows, home]);
  const labelOf = (key: FilterKey, value: string): string =>
    key === 'source' ? (labels.get(value) ?? value) : labelFor(key, value, hosts);
  const active = FILTER_KEYS.flatMap((key) => readChosen(params, key).map((value) => ({ key, value })));
  const clear = (): void => choose(Object.fromEntries(FILTER_KEYS.map((key) => [key, undefined])));
  const close = (): void => menu.current?.removeAttribute('open');
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target) === false) close();
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);
  return (
    <>
      {active.map(({ key, value }) => (
        <span key={`${key} ${value}`} class="chip">
          {visible(labelOf(key, value))}{' '}
          <button
            type="button"
            class="plain small"
            aria-label={`Remove filter: ${labelOf(key, value)}`}
            onClick={() => choose(toggleChosen(params, key, value))}
          >
            ×
          </button>
        </span>
      ))}
      {active.length > 0 && (
        <button type="button" class="plain small" onClick={clear}>
          Clear
        </button>
      )}
      <details
        class="filter"
        ref={menu}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          close();
          menu.current?.querySelector('summary')?.focus();
        }}
      >
        <summary class="button">
          Filter <span aria-hidden="true">▾</span>
        </summary>
        <div class="panel">
          {FILTER_KEYS.map((key) => (
            <Group
              key={key}
              title={TITLES[key]}
              chosen={readChosen(params, key)}
              options={optionsOf(key, counts, hosts).map((value) => ({
                value,
                label: labelOf(key, value),
                count: counts.get(`${key} ${value}`) ?? 0,
              }))}
              onToggle={(value) => choose(toggleChosen(params, key, value))}
            />
          ))}
          <p class="foot">
            <button type="button" class="plain" onClick={clear}>
              Clear
            </button>
            <button type="button" class="main" onClick={close}>
              Show {counted(shown, 'skill')}
            </button>
          </p>
        </div>
      </details>
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly chosen: readonly string[];
  readonly options: readonly { readonly value: string; readonly label: string; readonly count: number }[];
  readonly onToggle: (value: string) => void;
}

function Group({ title, chosen, options, onToggle }: GroupProps): JSX.Element | null {
  if (options.length === 0) return null;
  return (
    <fieldset>
      <legend>{title}</legend>
      {options.map(({ value, label, count }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />{' '}
          <bdi class="cut">{visible(label)}</bdi> <span>{grouped(count)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** How many rows have each value, by key and value. */
function countValues(rows: readonly SkillRow[], marksOf: MarksOf): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const values = valuesOf(row, marksOf(row));
    // Copies that are not used show only if they are asked for.
    const isShown = row.shadowedBy === undefined || row.state === 'broken';
    for (const key of FILTER_KEYS)
      for (const value of values[key])
        if (isShown || value === 'unused') counts.set(`${key} ${value}`, (counts.get(`${key} ${value}`) ?? 0) + 1);
  }
  return counts;
}

const FIXED: Readonly<Partial<Record<FilterKey, readonly string[]>>> = {
  state: ['enabled', 'disabled', 'unavailable', 'broken', 'unused'],
  trust: ['trusted', 'untrusted'],
  audit: ['passed', 'blocked', 'unknown'],
};

/** Fixed values in their order, all others by how many rows have them. */
function optionsOf(
  key: FilterKey,
  counts: ReadonlyMap<string, number>,
  hosts: ConsoleSession['hosts'],
): readonly string[] {
  if (key === 'agent') return hosts.length === 0 ? [] : [...hosts.map(({ id }) => id), 'none'];
  const fixed = FIXED[key];
  if (fixed !== undefined) return fixed;
  return [...counts]
    .filter(([name]) => name.startsWith(`${key} `))
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .slice(0, MOST_TAGS)
    .map(([name]) => name.slice(key.length + 1));
}

const LABELS: Readonly<Record<string, string>> = {
  unused: 'copies not used',
  untrusted: 'not trusted',
  passed: 'audited',
  unknown: 'not audited',
};

function labelFor(key: FilterKey, value: string, hosts: ConsoleSession['hosts']): string {
  if (key !== 'agent') return key === 'tag' ? value : (LABELS[value] ?? value);
  return value === 'none' ? 'in no agent' : `in ${hosts.find(({ id }) => id === value)?.title ?? value}`;
}

/** A source is known to people by its folder: the one above all of its skills. */
function nameFolders(rows: readonly SkillRow[], home: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const row of rows) {
    const folder = row.source === 'bundled' ? 'bundled' : shortPath(folderOf(row), home);
    const known = folders.get(row.source);
    if (known === undefined || folder.length < known.length) folders.set(row.source, folder);
  }
  return folders;
}
