import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { OffFolder, SkillRow } from '../../../../src/http/wire/skills.ts';
import { choose, route } from '../../lib/route.ts';
import { counted, grouped } from '../../lib/words.ts';
import { AuditRest } from './audit-rest.tsx';

interface SkillCountsProps {
  readonly rows: readonly SkillRow[] | undefined;
  /** How many pass the search and the filters. */
  readonly shown: number;
  readonly off: readonly OffFolder[];
}

const STATES = ['enabled', 'disabled', 'unavailable', 'broken', 'shadowed'] as const;

/** How many skills there are in each state; each number filters. */
export function SkillCounts({ rows, shown, off }: SkillCountsProps): JSX.Element {
  const counts = useMemo(() => countStates(rows ?? []), [rows]);
  if (rows === undefined) return <p class="counts">…</p>;
  const holders = rows.length - counts.shadowed;
  const chosen = route.value.params['state'] ?? '';
  const isNarrowed = shown !== holders;
  return (
    <div class="counts">
      <span role="status">
        <strong>{counted(holders, 'skill')}</strong>
        {isNarrowed && <span> · {grouped(shown)} shown</span>}
      </span>
      {STATES.filter((state) => counts[state] > 0).map((state) => (
        <button
          key={state}
          type="button"
          class={`plain state-${state}`}
          aria-pressed={chosen === state}
          onClick={() => choose({ state: chosen === state ? '' : state })}
        >
          {grouped(counts[state])} {state}
        </button>
      ))}
      <AuditRest unknown={counts.unknown} />
      {off.map(({ source, path, skills }) => (
        <span key={path} class="muted" title={`${path} belongs to the source ${source}, which is off`}>
          {counted(skills, 'skill')} in {source}, which is off
        </span>
      ))}
    </div>
  );
}

type Counts = Record<(typeof STATES)[number] | 'unknown', number>;

/** In one go, for there are thousands. `unknown`: those that were not audited yet. */
function countStates(rows: readonly SkillRow[]): Readonly<Counts> {
  const counts: Counts = { enabled: 0, disabled: 0, unavailable: 0, broken: 0, shadowed: 0, unknown: 0 };
  for (const { state, shadowedBy, isWithheld } of rows) {
    counts[shadowedBy === undefined ? state : 'shadowed'] += 1;
    if (isWithheld === null && state !== 'broken') counts.unknown += 1;
  }
  return counts;
}
