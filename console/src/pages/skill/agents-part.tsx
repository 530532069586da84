import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { quoteWord } from '../../../../src/model/shell-word.ts';
import { CELL_SIGNS, toCell, type Cell, type CellKind } from '../../lib/agent-cell.ts';
import type { AgentFact, SkillDetail } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { sentence, shortPath, shortPaths } from '../../lib/words.ts';
import { Next } from '../../parts/next.tsx';

interface AgentsPartProps {
  readonly detail: SkillDetail;
  readonly facts: readonly AgentFact[];
  /** The titles of agents that were not found. */
  readonly absent: readonly string[];
  readonly onGive: (agent: AgentFact, to: 'give' | 'kept') => void;
}

const COLORS: Readonly<Record<CellKind, string>> = {
  listed: 'good',
  named: 'good',
  stuck: 'good',
  still: 'warn',
  lost: 'bad',
  empty: 'muted',
  fixed: 'muted',
};

/** Which agents have the skill, and why the others do not; with a button each. */
export function AgentsPart({ detail, facts, absent, onGive }: AgentsPartProps): JSX.Element {
  const lines = facts.map((fact) => ({ fact, cell: toCell(fact, detail.row) }));
  // An agent that lists a disabled skill even so comes first.
  const ordered = [...lines].sort((a, b) => Number(b.cell.kind === 'still') - Number(a.cell.kind === 'still'));
  return (
    <section aria-labelledby="agents-of-skill" class="skill-agents">
      <h2 id="agents-of-skill">Agents</h2>
      {facts.length === 0 ? (
        <p class="muted">No agent was found on this machine.</p>
      ) : (
        <table role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">
                Agent
              </th>
              <th role="columnheader" scope="col">
                Status
              </th>
              <th role="columnheader" scope="col">
                Reason and next step
              </th>
              <th role="columnheader" scope="col">
                <span class="unseen">Action</span>
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {ordered.map(({ fact, cell }) => (
              <AgentLine key={fact.agent} detail={detail} fact={fact} cell={cell} onGive={onGive} />
            ))}
          </tbody>
        </table>
      )}
      {absent.length > 0 && <p class="muted small-text">Not found: {absent.join(', ')}</p>}
    </section>
  );
}

interface AgentLineProps extends Pick<AgentsPartProps, 'detail' | 'onGive'> {
  readonly fact: AgentFact;
  readonly cell: Cell;
}

function AgentLine({ detail, fact, cell: { kind, word, because }, onGive }: AgentLineProps): JSX.Element {
  const { isReadOnly, home } = useSession();
  const [isOpen, setOpen] = useState(false);
  const isHeld = kind === 'still' || kind === 'stuck';
  const isOff = detail.row.state === 'disabled' && fact.standing === 'unseen';
  const why = isOff ? 'The skill is disabled for every agent.' : sentence(because ?? '');
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {fact.title}
      </th>
      <td role="cell" class={`state ${COLORS[kind]}`}>
        <i aria-hidden="true">{CELL_SIGNS[kind]}</i>{' '}
        {word !== '' ? word : fact.standing === 'hidden' ? 'turned off' : 'not given'}
      </td>
      <td role="cell" class="why">
        <p>{why === '' && kind === 'listed' ? 'With its description.' : visible(shortPaths(why, home))}</p>
        {kind === 'lost' && fact.next !== undefined && <Next step={fact.next} home={home} />}
        {isHeld && isOpen && <HowToRemove dir={detail.dir} fact={fact} isSaid={kind === 'still'} />}
      </td>
      <td role="cell" class="act">
        {isHeld && (
          <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {kind === 'still' ? 'Move the skill…' : 'How to remove'}
            <span class="unseen"> from {fact.title}</span>
          </button>
        )}
        {!isReadOnly && (kind === 'empty' || kind === 'listed' || kind === 'named') && (
          <button type="button" class="small" onClick={() => onGive(fact, kind === 'empty' ? 'give' : 'kept')}>
            {kind === 'empty' ? `Give to ${fact.title}` : 'Remove'}
            {kind !== 'empty' && <span class="unseen"> from {fact.title}</span>}
          </button>
        )}
      </td>
    </tr>
  );
}

interface HowToRemoveProps {
  readonly dir: string;
  readonly fact: AgentFact;
  /** Was the reason said already? */
  readonly isSaid: boolean;
}

/** The ways to keep a skill from an agent that reads its folder, and whose settings are its own. */
function HowToRemove({ dir, fact: { title, hold, next }, isSaid }: HowToRemoveProps): JSX.Element {
  const { home, cwd } = useSession();
  const step = hold?.next ?? next;
  const seen = step !== undefined && 'moveAway' in step ? step.moveAway : undefined;
  const root = dir.startsWith(`${cwd}/`) ? cwd : home;
  return (
    <div class="how">
      {!isSaid && hold !== undefined && <p>{visible(sentence(hold.because))}</p>}
      {seen === dir ? (
        <>
          <p>Or move it where Skillplane gives it only to the agents that you choose:</p>
          <pre tabIndex={0}>
            <code>{visible(`mv ${wordOf(dir, home)} ${wordOf(`${root}/.agent/skills/`, home)}`)}</code>
          </pre>
        </>
      ) : (
        <p>
          {seen === undefined ? 'Other agents read' : `${visible(shortPath(seen, home))} is read by other agents`}, too:
          remove it from them, and {title} no longer lists it.
        </p>
      )}
    </div>
  );
}

/** A path for a shell, which knows the home directory by `~` only outside of quotes. */
function wordOf(path: string, home: string): string {
  const short = shortPath(path, home);
  return quoteWord(short) === short || /^~[\w./-]+$/.test(short) ? short : quoteWord(path);
}
