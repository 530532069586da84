import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { SkillList } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';
import { countHolders } from '../../lib/skill-filter.ts';
import { counted, grouped } from '../../lib/words.ts';
import { AuditRest } from './audit-rest.tsx';

interface SkillCountsProps {
  readonly list: SkillList | undefined;
  /** How many pass the search and the filters; undefined if there are none. */
  readonly shown: number | undefined;
}

const STATES = ['enabled', 'disabled', 'unavailable', 'broken', 'shadowed'] as const;

/** How many skills there are in each state; each number filters. */
export function SkillCounts({ list, shown }: SkillCountsProps): JSX.Element {
  const unaudited = useMemo(
    () => list?.skills.filter((row) => row.isWithheld === undefined && row.state !== 'broken').length ?? 0,
    [list],
  );
  if (list === undefined) return <p class="counts">…</p>;
  const { counts, off } = list;
  const chosen = route.value.params['state'] ?? '';
  return (
    <div class="counts">
      <span role="status">
        <strong>{counted(countHolders(counts), 'skill')}</strong>
        {shown !== undefined && <span> · {grouped(shown)} shown</span>}
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
      <AuditRest unknown={unaudited} />
      {off.map(({ source, path, skills }) => (
        <span key={path} class="muted" title={`${path} belongs to the source ${source}, which is off`}>
          {counted(skills, 'skill')} in {source}, which is off
        </span>
      ))}
    </div>
  );
}
