import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import type { AgentChange, AgentsView, SkillList } from '../lib/answers.ts';
import { choose, route } from '../lib/route.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, grouped } from '../lib/words.ts';
import { Link } from '../parts/link.tsx';
import { NoMatch } from '../parts/no-match.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Connection, Room } from './agents/column-head.tsx';
import { Connections } from './agents/connections.tsx';
import { DoneBar, type Done } from './agents/done-bar.tsx';
import { readMarks } from './agents/marks.ts';
import { Matrix } from './agents/matrix.tsx';
import { PendingBar } from './agents/pending-bar.tsx';
import { countNames, filterMatrix, isIn, makeRows } from './agents/rows.ts';

/** Skills and the agents that have them. Opening it proposes nothing. */
export function AgentsPage(): JSX.Element {
  const { value, failure } = useRead('agents', {});
  const listed = useRead('skills', {});
  if (failure !== undefined || listed.failure !== undefined)
    return <div class="page">{failure !== undefined && <Trouble failure={failure} />}</div>;
  if (value === undefined || listed.value === undefined) return <div class="page" aria-busy="true" />;
  return route.value.params['tab'] === 'connections' ? (
    <ConnectionsPart view={value} />
  ) : (
    <MatrixPart view={value} skills={listed.value.skills} />
  );
}

function ConnectionsPart({ view }: { readonly view: AgentsView }): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>Connections</h1>
        <Link page="agents">Back to the skills of agents</Link>
      </div>
      <Connections agents={view.agents} />
    </div>
  );
}

const FILTERS = [
  ['', 'All'],
  ['problems', 'Problems'],
  ['some', 'In some agents only'],
  ['none', 'In no agent'],
] as const;

interface MatrixPartProps {
  readonly view: AgentsView;
  readonly skills: SkillList['skills'];
}

function MatrixPart({ view, skills }: MatrixPartProps): JSX.Element {
  const { home } = useSession();
  const { only = '', q = '' } = route.value.params;
  const { agents, absent } = view;
  const all = useMemo(() => makeRows(view, skills, home), [view, skills, home]);
  const rows = useMemo(() => filterMatrix(all, only, q), [all, only, q]);
  const [done, setDone] = useState<Done>();
  const marks = readMarks();
  const kindOf = ({ name, agent }: AgentChange): string | undefined =>
    all.find((row) => row.name === name && !row.isCopy)?.cells[agents.findIndex(({ id }) => id === agent)]?.kind;
  // A change by another program may have done what was marked, or made it impossible.
  const open = marks.filter((mark) =>
    (mark.to === 'give' ? ['empty'] : ['listed', 'named']).includes(kindOf(mark) ?? ''),
  );
  return (
    <div class="page agents">
      <div class="head">
        <h1>Agents</h1>
        <div class="choices" role="group" aria-label="Show">
          {FILTERS.map(([id, title]) => (
            <button key={id} type="button" aria-pressed={only === id} onClick={() => choose({ only: id })}>
              {title} <span class="count">{grouped(countNames(all.filter((row) => isIn(row, id))))}</span>
            </button>
          ))}
        </div>
        {absent.length > 0 && <p class="absent muted">Not found: {absent.join(', ')}</p>}
      </div>
      {agents.length === 0 ? (
        <div class="empty">
          <p>No agent was found on this machine.</p>
          <p class="muted">
            Skillplane looks for {absent.join(', ')}. Install one and reload this page, or name the agents that shall
            get skills: <code>skillplane agents set</code>
          </p>
        </div>
      ) : (
        <>
          <Summary view={view} />
          {rows.length === 0 ? (
            <NoMatch onClear={() => choose({ only: undefined, q: undefined })} />
          ) : (
            <Matrix agents={agents} rows={rows} marks={open} />
          )}
        </>
      )}
      {marks.length > 0 ? (
        <PendingBar marks={marks} open={open} agents={agents} onDone={setDone} />
      ) : (
        done !== undefined && <DoneBar done={done} agents={agents} onDone={setDone} />
      )}
    </div>
  );
}

/** On a phone, what the heads of the columns say. */
function Summary({ view: { agents } }: { readonly view: AgentsView }): JSX.Element {
  const loose = agents.filter(({ connection }) => connection?.hasServer === false && connection.hook === undefined);
  const full = agents.filter(({ room }) => room !== undefined && room.needed > room.limit);
  const parts = [
    counted(agents.length, 'agent'),
    ...(loose.length > 0 ? [`${loose.length} not connected`] : []),
    ...(full.length > 0 ? [`${counted(full.length, 'list')} too long`] : []),
  ];
  return (
    <details class="agents-summary">
      <summary>{parts.join(' · ')}</summary>
      <ul>
        {agents.map((agent) => (
          <li key={agent.id}>
            <span class="letters">{agent.mark}</span>
            <span>
              {visible(agent.title)} · {grouped(agent.counts.described + agent.counts.named)} listed
              <br />
              <Room agent={agent} isShort={false} />
            </span>
            <Connection agent={agent} isShort />
          </li>
        ))}
      </ul>
    </details>
  );
}
