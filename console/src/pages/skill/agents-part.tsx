import type { JSX } from 'preact';

import type { AgentFact, SkillRow } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { shortPaths } from '../../lib/words.ts';
import { Next } from '../../parts/next.tsx';
import { CELL_SIGNS, toCell, type CellKind } from '../agents/rows.ts';

interface AgentsPartProps {
  readonly skill: SkillRow;
  readonly facts: readonly AgentFact[];
  readonly onGive: (agent: AgentFact, to: 'give' | 'kept') => void;
}

const COLORS: Readonly<Record<CellKind, string>> = {
  listed: 'good',
  named: 'good',
  still: 'warn',
  lost: 'bad',
  empty: 'muted',
  fixed: 'muted',
};

/** Which agents have the skill, and why the others do not; with a button each. */
export function AgentsPart({ skill, facts, onGive }: AgentsPartProps): JSX.Element {
  const { isReadOnly, home } = useSession();
  const lines = facts.map((fact) => ({ fact, cell: toCell(fact, skill) }));
  // An agent that lists a disabled skill even so comes first.
  const ordered = [...lines].sort((a, b) => Number(b.cell.kind === 'still') - Number(a.cell.kind === 'still'));
  return (
    <section aria-labelledby="agents-of-skill" class="skill-agents">
      <h2 id="agents-of-skill">Agents</h2>
      {facts.length === 0 && <p class="muted">No agent was found on this machine.</p>}
      <ul>
        {ordered.map(({ fact, cell: { kind, word, because } }) => (
          <li key={fact.agent}>
            <strong>{fact.title}</strong>
            <span class={`state ${COLORS[kind]}`}>
              <i aria-hidden="true">{CELL_SIGNS[kind]}</i> {word === '' ? 'not given' : word}
            </span>
            <div class="why">
              {because === undefined ? (
                <p class="muted">{kind === 'listed' ? 'With its description.' : ''}</p>
              ) : (
                <p>{visible(shortPaths(`${because.charAt(0).toUpperCase()}${because.slice(1)}.`, home))}</p>
              )}
              {fact.next !== undefined && (kind === 'still' || kind === 'lost') && <Next step={fact.next} />}
            </div>
            {!isReadOnly && (kind === 'empty' || kind === 'listed' || kind === 'named') && (
              <button type="button" onClick={() => onGive(fact, kind === 'empty' ? 'give' : 'kept')}>
                {kind === 'empty' ? `Give to ${fact.title}` : 'Remove'}
                {kind !== 'empty' && <span class="unseen"> from {fact.title}</span>}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
