import type { JSX } from 'preact';

import type { VersionUseAnswer } from '../../../../../hub/src/http/wire.ts';
import { visible } from '../../../lib/visible-text.ts';
import { counted, grouped } from '../../../lib/words.ts';
import { ColumnChart } from '../../../parts/column-chart.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { Trouble } from '../../../parts/trouble.tsx';
import { questions, type SkillName } from '../../lib/api.ts';
import { labelOf, lastWeeks } from '../../lib/labels.ts';
import { toColumns } from '../../lib/series.ts';
import { mayIn } from '../../lib/session.ts';
import { useAsk } from '../../lib/use-ask.ts';

const WEEKS = lastWeeks(26);

/** Who uses which version, week by week. */
export function SkillUse({ skill }: { readonly skill: SkillName }): JSX.Element {
  const since = WEEKS[0] ?? '';
  const { value, failure } = useAsk(questions.usage(since, skill.scope));
  const mayNames = mayIn('owner', skill.scope);
  const users = useAsk(mayNames ? questions.users(skill.scope, since) : undefined).value?.users ?? [];
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const uses = value.uses.filter((use) => use.skill === skill.name);
  if (uses.length === 0)
    return (
      <p class="muted">
        Nobody has reported a use in half a year. Clients report counts if their users allow it, which{' '}
        <code>skillplane login</code> asks.
      </p>
    );
  const { series, columns } = toColumns(
    uses.map(({ week, version, count }) => ({ week, name: version, count })),
    WEEKS,
  );
  const versions = value.versions.filter((one) => one.skill === skill.name).sort((a, b) => b.count - a.count);
  const total = uses.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="stack">
      <p>
        <strong>{counted(total, 'use')}</strong> in half a year.
      </p>
      <ColumnChart label={`Uses of ${labelOf(skill)} by week and version`} series={series} columns={columns} />
      <VersionUses versions={versions} />
      {users.some((user) => user.skill === skill.name) && (
        <section class="stack" aria-label="People">
          <h2>Who has which version</h2>
          <DataTable
            label="Who has which version"
            columns={['Person', 'Version', ['Uses', 'number'], 'Last week of use']}
          >
            {users
              .filter((user) => user.skill === skill.name)
              .map(({ person, version, count, lastWeek }) => (
                <tr key={`${person} ${version}`}>
                  <th scope="row">
                    <bdi>{visible(person)}</bdi>
                  </th>
                  <td class="mono">{version}</td>
                  <td class="number">{grouped(count)}</td>
                  <td>{lastWeek}</td>
                </tr>
              ))}
          </DataTable>
        </section>
      )}
    </div>
  );
}

function VersionUses({ versions }: { readonly versions: readonly VersionUseAnswer[] }): JSX.Element {
  return (
    <DataTable
      label="Use by version"
      columns={['Version', ['Uses', 'number'], ['People', 'number'], 'Last week of use', 'State']}
    >
      {versions.map(({ version, count, people, lastWeek, state, isLatest }) => (
        <tr key={version}>
          <th scope="row" class="mono">
            {version}
          </th>
          <td class="number">{grouped(count)}</td>
          <td class="number">{grouped(people)}</td>
          <td>{lastWeek}</td>
          <td class={state === 'published' ? '' : 'bad'}>
            {isLatest ? 'latest' : state === 'published' ? 'older' : state}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
