import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../../src/http/wire.ts';
import type { AgentColumn, GivingPlan } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { isConnected, revision } from '../../lib/connection.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, shortPath, shortPaths } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import type { Done } from './done-bar.tsx';
import { describeEffect } from './effect.ts';
import { writeMarks, type Mark } from './marks.ts';
import { describeMarks } from './rows.ts';

interface PendingBarProps {
  readonly marks: readonly Mark[];
  /** The marks that would still change something. */
  readonly open: readonly Mark[];
  readonly agents: readonly AgentColumn[];
  readonly onDone: (done: Done) => void;
}

/** Says what the marked cells will change: in words, in the lists of agents, in files; discarded or applied. */
export function PendingBar({ marks, open, agents, onDone }: PendingBarProps): JSX.Element {
  const { isReadOnly, home } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<WireFailure>();
  const input = open.length === 0 ? undefined : { changes: JSON.stringify(open) };
  const { value, failure, isCurrent } = useRead('agents/plan', input);
  const plan = open.length === 0 ? undefined : value;
  const titleOf = (id: string): string => agents.find((agent) => agent.id === id)?.title ?? id;
  const moot = marks.filter((mark) => !open.includes(mark));
  const apply = async (): Promise<void> => {
    if (plan === undefined) return;
    setBusy(true);
    const answer = await change('agents/give', { changes: open, digest: plan.digest });
    setBusy(false);
    if (answer.ok) {
      writeMarks([]);
      onDone({ kind: 'applied', changes: open, given: answer.value });
      return;
    }
    setRefused(answer.failure);
    // The page may show what was there before.
    revision.value += 1;
  };
  return (
    <section class="pending" aria-label="Changes that are not applied yet">
      <div class="what" role="status">
        {open.length > 0 && (
          <p>
            <strong>{counted(open.length, 'change')}:</strong> {visible(describeMarks(open, titleOf))}
          </p>
        )}
        {moot.length > 0 && (
          <p class="warn">Left out, because it changed meanwhile: {visible(describeMarks(moot, titleOf))}.</p>
        )}
        {plan === undefined ? (
          open.length > 0 && failure === undefined && <p class="muted">Looking at what this changes…</p>
        ) : (
          <p class="muted">
            {visible(shortPaths(describeEffect(plan, open) || 'All lists have room.', home))} Takes effect in new
            sessions.
          </p>
        )}
        {(refused ?? failure) !== undefined && <Trouble failure={refused ?? failure ?? NO_FAILURE} />}
        {!isConnected.value && <p class="warn">Not connected. Your marks stay here until the console is back.</p>}
      </div>
      <div class="row-of-buttons">
        <button
          type="button"
          class="plain"
          onClick={() => {
            setRefused(undefined);
            writeMarks([]);
          }}
        >
          Discard
        </button>
        {!isReadOnly && (
          <button
            type="button"
            class="main"
            disabled={isBusy || plan === undefined || !isCurrent || !isConnected.value}
            onClick={() => void apply()}
          >
            Apply
          </button>
        )}
      </div>
      {plan !== undefined && <Files plan={plan} />}
    </section>
  );
}

const NO_FAILURE: WireFailure = { code: '', message: '' };

const VERBS = {
  link: '+ link',
  copy: '+ copy',
  remove: '− remove',
  'switch-off': '− switch off in',
  'switch-on': '+ switch on in',
} as const;
const MOST_CHANGES = 200;

/** Everything that changes on disk. */
function Files({ plan: { settings, files, changes } }: { readonly plan: GivingPlan }): JSX.Element {
  const { home } = useSession();
  return (
    <details>
      <summary class="muted">Show files</summary>
      <div class="plan" tabIndex={0} role="group" aria-label="Files that change">
        {[...(settings === undefined ? [] : [settings]), ...files].map(({ path, diff }) => (
          <DiffView key={path} diff={diff} label={`Changes in ${path}`} />
        ))}
        <ul class="mono">
          {changes.slice(0, MOST_CHANGES).map(({ kind, path, skill, because }) => (
            <li key={`${kind} ${path} ${skill}`} title={visible(because)}>
              {VERBS[kind]} {visible(shortPath(path, home))}
            </li>
          ))}
          {changes.length > MOST_CHANGES && <li>and {changes.length - MOST_CHANGES} more</li>}
        </ul>
      </div>
    </details>
  );
}
