import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { HostsView, HostSummary, SeenRow } from '../../../src/http/wire/hosts.ts';
import { choose, route } from '../lib/route.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted } from '../lib/words.ts';
import { Choice } from '../parts/choice.tsx';
import { Link } from '../parts/link.tsx';
import { Standing } from '../parts/standing.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { SyncPanel } from './hosts/sync-panel.tsx';

const ROW_HEIGHT = 32;

/** Skills against agent programs: what each sees, and how to bring them in step. */
export function HostsPage(): JSX.Element {
  const { value, failure } = useRead('hosts', {});
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div class="page" aria-busy="true" />;
  const present = value.hosts.filter(({ isPresent }) => isPresent);
  return (
    <div class="page skills hosts">
      <div class="counts">
        <h1>Hosts</h1>
        <span class="muted">
          {present.length === 0
            ? 'No agent program that we know is on this machine.'
            : `Not here: ${
                value.hosts
                  .filter(({ isPresent }) => !isPresent)
                  .map(({ title }) => title)
                  .join(', ') || 'none'
              }`}
        </span>
        <Choice
          label="Which skills"
          all="all skills"
          value={route.value.params['only'] ?? ''}
          options={[
            ['different', 'seen by some, not by all'],
            ['lost', 'lost somewhere'],
            ['hidden', 'hidden somewhere'],
          ]}
          onChoose={(only) => choose({ only })}
        />
      </div>
      <SyncPanel />
      {present.length > 0 && <Matrix view={value} present={present} />}
    </div>
  );
}

interface NamedSeenRow extends SeenRow {
  readonly name: string;
}

function Matrix({
  view,
  present,
}: {
  readonly view: HostsView;
  readonly present: readonly HostSummary[];
}): JSX.Element {
  const listed = useRead('skills', {}).value;
  const only = route.value.params['only'] ?? '';
  const rows = useMemo(() => {
    const names = new Map(listed?.skills.map(({ file, name }) => [file, name]));
    return view.rows
      .map((row) => ({ ...row, name: names.get(row.file) ?? row.file }))
      .filter((row) => isWanted(row, only));
  }, [view, listed, only]);
  return (
    <div class="matrix">
      <div class="matrix-head" aria-hidden="true">
        <span class="name">{counted(rows.length, 'copy', 'copies')}</span>
        {present.map(({ id, title, counts, faults }) => (
          <span key={id} class="cell" title={faults.join('; ')}>
            {title}
            <br />
            <span class="muted">
              {counts.described + counts.named} seen{counts.lost > 0 ? `, ${counts.lost} lost` : ''}
            </span>
          </span>
        ))}
      </div>
      <VirtualList
        items={rows}
        rowHeight={ROW_HEIGHT}
        label="Skills and what each host sees"
        keyOf={({ file }) => file}
        render={({ file, name, cells }) => (
          <div class="skill-line">
            <Link page="skill" params={{ name, tab: 'hosts' }} class="name" title={file}>
              {visible(name)}
            </Link>
            {cells.map(([standing, reason], at) => (
              <span
                key={present[at]?.id}
                class="cell"
                title={`${present[at]?.title ?? ''}: ${visible(view.reasons[reason] ?? standing)}`}
              >
                <span class="unseen">{present[at]?.title} </span>
                <Standing standing={standing} />
              </span>
            ))}
          </div>
        )}
      />
    </div>
  );
}

function isWanted({ cells }: NamedSeenRow, only: string): boolean {
  const standings = cells.map(([standing]) => standing);
  const seen = standings.filter((standing) => standing === 'described' || standing === 'named').length;
  if (only === 'different') return seen > 0 && seen < standings.length;
  if (only === 'lost' || only === 'hidden') return standings.includes(only);
  return true;
}
