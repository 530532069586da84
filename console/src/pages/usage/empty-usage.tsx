import type { JSX } from 'preact';

import type { UsageView } from '../../lib/answers.ts';
import { revision } from '../../lib/connection.ts';
import { useSession } from '../../lib/session.ts';
import { counted } from '../../lib/words.ts';
import { Link } from '../../parts/link.tsx';
import { Next } from '../../parts/next.tsx';

type Sources = UsageView['sources'];

/** Without any use there is no chart: the ways to get one, with a button each. */
export function EmptyUsage({ sources }: { readonly sources: Sources }): JSX.Element {
  const isForbidden = sources.some(({ history }) => history === undefined);
  return (
    <>
      <p class="lead">
        <b>No skill was used in this time.</b>{' '}
        {sources.length === 0
          ? 'No agent that we know is on this machine.'
          : 'Connect an agent, or read the history of the agents you have.'}
      </p>
      {sources.length > 0 && (
        <section class="section" aria-label="From now on">
          <h2>From now on</h2>
          <ul class="facts-list flat">
            {sources.map((source) => (
              <Connection key={source.id} source={source} />
            ))}
          </ul>
        </section>
      )}
      {sources.length > 0 && (
        <section class="section" aria-label="From the past">
          <h2>From the past</h2>
          {isForbidden ? (
            <div>
              <p>Your settings do not allow reading the histories of other agents.</p>
              <Next step={{ set: 'usage', to: 'true' }} />
            </div>
          ) : (
            <ul class="facts-list flat">
              {sources.map((source) => (
                <History key={source.id} source={source} />
              ))}
            </ul>
          )}
        </section>
      )}
      <p class="muted lead">
        Then this page shows uses per day, which skills models choose, and which are listed but never used. What you run
        at the terminal counts as yours. Only names of skills and times are kept.
      </p>
    </>
  );
}

interface SourceProps {
  readonly source: Sources[number];
}

function Connection({ source: { id, title, isConnected } }: SourceProps): JSX.Element {
  const { isReadOnly } = useSession();
  return (
    <li>
      <div>
        <p>
          <b>{title}</b>
        </p>
        <p>
          {isConnected ? 'Connected: ' : 'Not connected. Once connected, '}a skill that it loads through Skillplane
          counts at once.
        </p>
      </div>
      <div class="row-actions">
        {!isConnected && !isReadOnly && (
          <Link page="agents" params={{ tab: 'connections', connect: id }} class="button">
            Connect…<span class="unseen"> {title}</span>
          </Link>
        )}
      </div>
    </li>
  );
}

function History({ source: { title, history } }: SourceProps): JSX.Element {
  const { sessions = 0, left = 0 } = history ?? {};
  return (
    <li>
      <div>
        <p>
          <b>{title}</b>
        </p>
        <p>
          {sessions === 0
            ? 'No sessions found.'
            : left === 0
              ? `${counted(sessions, 'session')} read, without a use of a skill in this time.`
              : `${counted(sessions, 'session')}, ${counted(left, 'of them', 'of them')} not read yet.`}
        </p>
      </div>
      <div class="row-actions">
        {left > 0 && (
          <button type="button" class="main" onClick={() => (revision.value += 1)}>
            Read history<span class="unseen"> of {title}</span>
          </button>
        )}
      </div>
    </li>
  );
}
