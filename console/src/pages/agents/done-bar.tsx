import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../../src/http/wire.ts';
import type { AgentChange, AgentColumn, GivenView } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { shortPaths } from '../../lib/words.ts';
import { Trouble } from '../../parts/trouble.tsx';

/** Changes that were made. */
export interface Done {
  readonly kind: 'applied' | 'undone';
  readonly changes: readonly AgentChange[];
  readonly given: GivenView;
}

interface DoneBarProps {
  readonly done: Done;
  readonly agents: readonly Pick<AgentColumn, 'id' | 'title'>[];
  readonly onDone: (done: Done | undefined) => void;
}

/** Says what was changed, and who has which skill now; with Undo. */
export function DoneBar({ done, agents, onDone }: DoneBarProps): JSX.Element {
  const { home } = useSession();
  const [refused, setRefused] = useState<WireFailure>();
  const undo = async (): Promise<void> => {
    const changes = done.given.replaced;
    const answer = await change('agents/give', { changes });
    if (answer.ok) onDone({ kind: 'undone', changes, given: answer.value });
    else setRefused(answer.failure);
  };
  return (
    <section class="pending" aria-label="What was changed">
      <div class="what" role="status">
        <p>
          <strong>{done.kind === 'undone' ? 'Undone.' : 'Done.'}</strong>{' '}
          {visible(shortPaths(describeGiven(done.changes, done.given, agents), home))} (in new sessions)
        </p>
        {refused !== undefined && <Trouble failure={refused} />}
      </div>
      <div class="row-of-buttons">
        {done.kind === 'applied' && done.given.replaced.length > 0 && (
          <button type="button" onClick={() => void undo()}>
            Undo
          </button>
        )}
        <button type="button" class="plain" aria-label="Dismiss" onClick={() => onDone(undefined)}>
          ✕
        </button>
      </div>
    </section>
  );
}

const MOST = 6;

/** Says for each change which agent has the skill now, or why not. */
function describeGiven(changes: readonly AgentChange[], { skills }: GivenView, agents: DoneBarProps['agents']): string {
  const texts = changes.map(({ name, agent }) => {
    const title = agents.find(({ id }) => id === agent)?.title ?? agent;
    const fact = skills.find((skill) => skill.name === name)?.agents.find((one) => one.agent === agent);
    const why = fact?.because === undefined ? '' : `: ${fact.because}`;
    if (fact?.has === true)
      return fact.isKept ? `${title} still lists ${name}${why}.` : `${title} can use ${name} now.`;
    return fact?.isWished === true ? `${title} cannot use ${name}${why}.` : `${title} no longer has ${name}.`;
  });
  const rest = texts.length - MOST;
  return rest > 0 ? `${texts.slice(0, MOST).join(' ')} And ${rest} more.` : texts.join(' ');
}
