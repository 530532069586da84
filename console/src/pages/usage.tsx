import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { UsageAdvice, UsageView, UsedSkill } from '../lib/answers.ts';
import { revision } from '../lib/connection.ts';
import { changePin } from '../lib/pinning.ts';
import { choose, go, route } from '../lib/route.ts';
import { useAgentTitle, useSession } from '../lib/session.ts';
import { switchSkills } from '../lib/switching.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, grouped, since, wholeNumber } from '../lib/words.ts';
import { Choice } from '../parts/choice.tsx';
import { ColumnChart } from '../parts/column-chart.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Link } from '../parts/link.tsx';
import { Next } from '../parts/next.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { EmptyUsage } from './usage/empty-usage.tsx';

const PERIODS = [
  ['7', 'last 7 days'],
  ['90', 'last 90 days'],
  ['365', 'last year'],
] as const;

/** Says what was used, by whom, and what to do about it. */
export function UsagePage(): JSX.Element {
  const days = wholeNumber(route.value.params['days'], 30);
  const { value, failure } = useRead('usage', { days });
  return (
    <div class="page">
      <div class="head">
        <h1>Usage</h1>
        <Choice
          label="Period"
          all="last 30 days"
          value={days === 30 ? '' : String(days)}
          options={PERIODS}
          onChoose={(chosen) => choose({ days: chosen })}
        />
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value === undefined && failure === undefined && <p class="muted">Reading the history…</p>}
      {value !== undefined && <Report view={value} />}
    </div>
  );
}

function Report({ view }: { readonly view: UsageView }): JSX.Element {
  const { report, agents, days, advice, sources } = view;
  const titleOf = useAgentTitle();
  if (report === undefined)
    return (
      <p class="empty">
        No history is kept: the setting `usage` is off.
        <Next step={{ set: 'usage', to: 'true' }} />
      </p>
    );
  const { skills } = report;
  const total = skills.reduce((sum, { uses }) => sum + uses, 0);
  if (total === 0) return <EmptyUsage sources={sources} />;
  const left = sources.reduce((sum, { history }) => sum + (history?.left ?? 0), 0);
  const columns = days.map((label, at) => ({ label, values: agents.map((agent) => agent.days[at] ?? 0) }));
  return (
    <>
      {advice.length > 0 && <AdviceList advice={advice} />}
      <p>
        <strong>{counted(total, 'use')}</strong> of {counted(skills.filter(({ uses }) => uses > 0).length, 'skill')}.
        {left > 0 && (
          <>
            {' '}
            {counted(left, 'session')} not read yet.{' '}
            <button type="button" class="small" onClick={() => (revision.value += 1)}>
              Read the rest
            </button>
          </>
        )}
      </p>
      <ColumnChart label="Uses by day and agent" series={agents.map(({ name }) => titleOf(name))} columns={columns} />
      <UsedTable skills={skills.filter(({ uses }) => uses > 0)} />
      <div class="thirds">
        {[
          { title: 'Listed, never chosen', names: report.shownNeverUsed },
          { title: 'Found, never loaded', names: report.searchedNeverLoaded },
          { title: 'Never used', names: report.neverUsed },
        ]
          .filter(({ names }) => names.length > 0)
          .map((list) => (
            <Names key={list.title} {...list} />
          ))}
      </div>
    </>
  );
}

const ACTIONS = { disable: 'Disable', pin: 'Pin', rewrite: 'Review its description' } as const;
const MOST_ADVICE = 6;

function AdviceList({ advice }: { readonly advice: readonly UsageAdvice[] }): JSX.Element {
  const { isReadOnly } = useSession();
  const [isWhole, setWhole] = useState(false);
  return (
    <section class="stack" aria-label="Advice">
      <h2>Advice</h2>
      <ul class="advice">
        {advice.slice(0, isWhole ? undefined : MOST_ADVICE).map(({ kind, skill, evidence }) => (
          <li key={`${kind} ${skill}`}>
            <span>
              <Link page="skill" params={{ name: skill }} class="mono">
                {visible(skill)}
              </Link>
              : {visible(evidence)}.
            </span>
            {(!isReadOnly || kind === 'rewrite') && (
              <button type="button" onClick={() => act(kind, skill)}>
                {ACTIONS[kind]}
              </button>
            )}
          </li>
        ))}
      </ul>
      {advice.length > MOST_ADVICE && !isWhole && (
        <button type="button" class="plain more" onClick={() => setWhole(true)}>
          and {advice.length - MOST_ADVICE} more
        </button>
      )}
    </section>
  );
}

function act(kind: UsageAdvice['kind'], name: string): void {
  if (kind === 'rewrite') go('skill', { name });
  else if (kind === 'disable') void switchSkills([name], 'disabled');
  else void changePin(name, true);
}

const MOST_ROWS = 50;

function UsedTable({ skills }: { readonly skills: readonly UsedSkill[] }): JSX.Element {
  return (
    <DataTable
      label="Skills by use"
      columns={[
        'Skill',
        ['Uses', 'number'],
        ['By a person', 'number'],
        ['Listed', 'number'],
        'Last',
        'Trend',
        'Over time',
      ]}
    >
      {skills.slice(0, MOST_ROWS).map(({ name, exists, uses, invoked, shown, lastUsed, trend, series }) => (
        <tr key={name}>
          <th scope="row">
            {exists ? (
              <Link page="skill" params={{ name }} class="mono">
                {visible(name)}
              </Link>
            ) : (
              <span class="muted mono">{visible(name)} (gone)</span>
            )}
          </th>
          <td class="number">{grouped(uses)}</td>
          <td class="number">{grouped(invoked)}</td>
          <td class="number">{grouped(shown)}</td>
          <td>{since(lastUsed)}</td>
          <td>{trend}</td>
          <td>
            <Sparkline values={series} label={`${counted(uses, 'use')} in this time`} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

const MOST_NAMES = 12;

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  return (
    <section class="stack">
      <h2>
        {title} <span class="count">{grouped(names.length)}</span>
      </h2>
      <ul>
        {names.slice(0, isWhole ? undefined : MOST_NAMES).map((name) => (
          <li key={name}>
            <Link page="skill" params={{ name }} class="mono">
              {visible(name)}
            </Link>
          </li>
        ))}
      </ul>
      {names.length > MOST_NAMES && !isWhole && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          and {grouped(names.length - MOST_NAMES)} more
        </button>
      )}
    </section>
  );
}
