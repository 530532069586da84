import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { ConsoleSession, SkillRow } from '../../lib/answers.ts';
import { countValues } from '../../lib/count-values.ts';
import type { Params, Route } from '../../lib/route.ts';
import { Choice } from '../../parts/choice.tsx';

interface SkillFiltersProps {
  readonly rows: readonly SkillRow[];
  readonly hosts: ConsoleSession['hosts'];
  readonly params: Route['params'];
  readonly onChoose: (params: Params) => void;
}

const MOST_TAGS = 200;

export function SkillFilters({ rows, hosts, params, onChoose }: SkillFiltersProps): JSX.Element {
  const sources = useMemo(() => countValues(rows.map(({ source }) => source)), [rows]);
  const tags = useMemo(() => countValues(rows.flatMap(({ tags = [] }) => tags)).slice(0, MOST_TAGS), [rows]);
  const filter = (key: string, all: string, options: Options): JSX.Element => (
    <Choice
      label={all}
      all={all}
      value={params[key] ?? ''}
      options={options}
      onChoose={(value) => onChoose({ [key]: value })}
    />
  );
  return (
    <div class="filters" role="group" aria-label="Filters">
      {filter('source', 'all sources', sources)}
      {filter(
        'host',
        'all hosts',
        hosts.map(({ id, title }) => [id, `seen by ${title}`]),
      )}
      {filter('state', 'any state', STATES)}
      {filter('trust', 'any trust', TRUSTS)}
      {filter('audit', 'any audit', AUDITS)}
      {filter('tag', 'all tags', tags)}
    </div>
  );
}

type Options = readonly (readonly [string, string])[];

const STATES: Options = ['enabled', 'disabled', 'unavailable', 'broken', 'shadowed'].map((state) => [state, state]);
const TRUSTS: Options = [
  ['trusted', 'trusted'],
  ['untrusted', 'not trusted'],
];
const AUDITS: Options = [
  ['withheld', 'withheld from models'],
  ['served', 'given to models'],
  ['unknown', 'not audited yet'],
];
