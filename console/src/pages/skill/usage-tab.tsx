import type { JSX } from 'preact';

import { useAgentTitle } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { counted, since } from '../../lib/words.ts';
import { ColumnChart } from '../../parts/column-chart.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** How often the skill was used, when and by which agents. */
export function UsageTab({ name }: { readonly name: string }): JSX.Element {
  const { value, failure } = useRead('skill/usage', { name });
  const titleOf = useAgentTitle();
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { from, until, use } = value;
  if (use === undefined) return <p class="muted">Not used in the last ninety days.</p>;
  const { uses, lastUsed, trend, agents, series, loaded, ran, invoked, searched, matched, shown } = use;
  const step = (until - from) / Math.max(1, series.length);
  const columns = series.map((value_, at) => ({
    label: new Date(from + at * step).toISOString().slice(0, 10),
    values: [value_],
  }));
  return (
    <div class="stack">
      <p>
        <strong>{counted(uses, 'use')}</strong> in ninety days, last {since(lastUsed)}
        {uses > 0 && `, ${trend}`}.
      </p>
      <ColumnChart label={`Uses of ${name}`} series={['uses']} columns={columns} />
      <dl class="numbers">
        {Object.entries({ loaded, ran, invoked, searched, matched, shown })
          .filter(([, count]) => count > 0)
          .map(([kind, count]) => (
            <div key={kind}>
              <dt>{kind}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        {Object.entries(agents).map(([agent, count]) => (
          <div key={agent}>
            <dt>by {titleOf(agent)}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
