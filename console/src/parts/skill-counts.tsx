import type { JSX } from 'preact';

import type { OffFolder, SkillRow } from '../../../src/http/wire/skills.ts';
import { choose, route } from '../lib/route.ts';
import { counted, grouped } from '../lib/words.ts';
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
  if (rows === undefined) return <p class="counts">…</p>;
  const holders = rows.filter(({ shadowedBy }) => shadowedBy === null);
  const countOf = (state: (typeof STATES)[number]): number =>
    state === 'shadowed' ? rows.length - holders.length : holders.filter((row) => row.state === state).length;
  const chosen = route.value.params['state'] ?? '';
  const isNarrowed = shown !== holders.length;
  return (
    <div class="counts">
      <span role="status">
        <strong>{counted(holders.length, 'skill')}</strong>
        {isNarrowed && <span> · {grouped(shown)} shown</span>}
      </span>
      {STATES.filter((state) => countOf(state) > 0).map((state) => (
        <button
          key={state}
          type="button"
          class={`plain state-${state}`}
          aria-pressed={chosen === state}
          onClick={() => choose({ state: chosen === state ? '' : state })}
        >
          {grouped(countOf(state))} {state}
        </button>
      ))}
      <AuditRest unknown={rows.filter(({ isWithheld, state }) => isWithheld === null && state !== 'broken').length} />
      {off.map(({ source, path, skills }) => (
        <span key={path} class="muted" title={`${path} belongs to the source ${source}, which is off`}>
          {counted(skills, 'skill')} in {source}, which is off
        </span>
      ))}
    </div>
  );
}
