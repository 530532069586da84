import type { JSX } from 'preact';

import type { UsageAnswer, VersionUseAnswer } from '../../../../hub/src/http/wire.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped } from '../../lib/words.ts';
import { Choice } from '../../parts/choice.tsx';
import { ColumnChart } from '../../parts/column-chart.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { questions } from '../lib/api.ts';
import { labelOf, lastWeeks, parseLabel } from '../lib/labels.ts';
import { choose, route } from '../lib/route.ts';
import { toColumns } from '../lib/series.ts';
import { useAsk } from '../lib/use-ask.ts';
import { SkillLink } from '../parts/hub-link.tsx';

const PERIODS = [
  ['4', 'last 4 weeks'],
  ['26', 'last half year'],
  ['52', 'last year'],
] as const;

/** Says what is used, week by week and team by team, which old versions are still about, and what nobody uses. */
export function HubUsagePage(): JSX.Element {
  const { weeks: asked = '', scope = '' } = route.value.params;
  const count = PERIODS.some(([known]) => known === asked) ? Number(asked) : 12;
  const weeks = lastWeeks(count);
  const { value, failure } = useAsk(questions.usage(weeks[0] ?? '', scope));
  const scopes = useAsk(questions.scopes()).value?.scopes ?? [];
  return (
    <div class="page">
      <div class="head">
        <h1>Usage</h1>
        <Choice
          label="Period"
          all="last 12 weeks"
          value={count === 12 ? '' : String(count)}
          options={PERIODS}
          onChoose={(chosen) => choose({ weeks: chosen })}
        />
        <Choice
          label="Scope"
          all="all teams"
          value={scope}
          options={scopes.map(({ name }) => [name, `@${name}`])}
          onChoose={(chosen) => choose({ scope: chosen })}
        />
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value === undefined ? (
        failure === undefined && <p class="muted">Counting…</p>
      ) : (
        <Report usage={value} weeks={weeks} />
      )}
    </div>
  );
}

interface ReportProps {
  readonly usage: UsageAnswer;
  readonly weeks: readonly string[];
}

function Report({ usage, weeks }: ReportProps): JSX.Element {
  const total = usage.uses.reduce((sum, { count }) => sum + count, 0);
  const byTeam = toColumns(
    usage.weeks.map(({ week, scope, count }) => ({ week, name: `@${scope}`, count })),
    weeks,
  );
  const byHost = toColumns(
    usage.uses.map(({ week, host, count }) => ({ week, name: host, count })),
    weeks,
  );
  const used = new Set(usage.versions.map(({ scope, skill }) => labelOf({ scope, name: skill })));
  const stale = usage.versions.filter(({ isLatest }) => !isLatest);
  return (
    <>
      <p>
        <strong>{counted(total, 'use')}</strong> of {counted(used.size, 'skill')}.{' '}
        {stale.length > 0 && (
          <span class="warn">
            {counted(stale.length, 'version')} in use that {stale.length === 1 ? 'is' : 'are'} not the latest.{' '}
          </span>
        )}
        {usage.unused.length > 0 && <span>{counted(usage.unused.length, 'skill')} without any use.</span>}
      </p>
      {total === 0 ? (
        <p class="muted">
          Nobody has reported a use in this time. Clients report counts if their users allow it, which{' '}
          <code>skillplane login</code> asks; nothing of a request is ever sent.
        </p>
      ) : (
        <>
          <section class="stack">
            <h2>By week and team</h2>
            <ColumnChart label="Uses by week and team" {...byTeam} />
          </section>
          <section class="stack">
            <h2>By week and program</h2>
            <ColumnChart label="Uses by week and program" {...byHost} />
          </section>
          <SkillTable usage={usage} weeks={weeks} />
          {stale.length > 0 && <StaleVersions versions={stale} />}
        </>
      )}
      {usage.unused.length > 0 && <Unused labels={usage.unused} />}
    </>
  );
}

const MOST_ROWS = 50;

function SkillTable({ usage, weeks }: ReportProps): JSX.Element {
  const skills = [...Map.groupBy(usage.uses, ({ scope, skill }) => labelOf({ scope, name: skill }))]
    .map(([label, uses]) => ({
      label,
      uses: uses.reduce((sum, { count }) => sum + count, 0),
      series: weeks.map((week) => uses.filter((use) => use.week === week).reduce((sum, { count }) => sum + count, 0)),
      versions: new Set(uses.map(({ version }) => version)).size,
      last:
        uses
          .map(({ week }) => week)
          .sort()
          .at(-1) ?? '',
    }))
    .sort((a, b) => b.uses - a.uses || (a.label < b.label ? -1 : 1));
  return (
    <section class="stack">
      <h2>Skills by use</h2>
      <DataTable
        label="Skills by use"
        columns={['Skill', ['Uses', 'number'], ['Versions', 'number'], 'Last week of use', 'Over time']}
      >
        {skills.slice(0, MOST_ROWS).map(({ label, uses, series, versions, last }) => (
          <tr key={label}>
            <th scope="row">
              <SkillLink skill={parseLabel(label)} />
            </th>
            <td class="number">{grouped(uses)}</td>
            <td class="number">{versions}</td>
            <td>{last}</td>
            <td>
              <Sparkline values={series} label={`${counted(uses, 'use')} in this time`} />
            </td>
          </tr>
        ))}
      </DataTable>
      {skills.length > MOST_ROWS && <p class="muted">and {grouped(skills.length - MOST_ROWS)} more</p>}
    </section>
  );
}

function StaleVersions({ versions }: { readonly versions: readonly VersionUseAnswer[] }): JSX.Element {
  const sorted = versions.toSorted(
    (a, b) => Number(b.state !== 'published') - Number(a.state !== 'published') || b.people - a.people,
  );
  return (
    <section class="stack">
      <h2>Older versions that are still about</h2>
      <DataTable
        label="Older versions"
        columns={['Version', 'State', ['People', 'number'], ['Uses', 'number'], 'Last week of use']}
      >
        {sorted.slice(0, MOST_ROWS).map(({ scope, skill, version, state, people, count, lastWeek }) => (
          <tr key={`${scope} ${skill} ${version}`}>
            <th scope="row">
              <SkillLink skill={{ scope, name: skill }} version={version} />
            </th>
            <td class={state === 'published' ? '' : 'bad'}>{state === 'published' ? 'older' : state}</td>
            <td class="number">{grouped(people)}</td>
            <td class="number">{grouped(count)}</td>
            <td>{lastWeek}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

const MOST_UNUSED = 60;

function Unused({ labels }: { readonly labels: readonly string[] }): JSX.Element {
  return (
    <section class="stack" aria-label="Nobody uses">
      <h2>
        Nobody uses <span class="count">{grouped(labels.length)}</span>
      </h2>
      <ul class="unused">
        {labels.slice(0, MOST_UNUSED).map((label) => (
          <li key={label}>
            <SkillLink skill={parseLabel(label)} />
          </li>
        ))}
        {labels.length > MOST_UNUSED && <li class="muted">and {visible(grouped(labels.length - MOST_UNUSED))} more</li>}
      </ul>
    </section>
  );
}
