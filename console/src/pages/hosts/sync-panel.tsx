import type { JSX } from 'preact';

import type { SyncView } from '../../../../src/http/wire/hosts.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, shortPath } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** The plan that brings every host in step with what is enabled here: shown, applied, taken back. */
export function SyncPanel(): JSX.Element {
  const { value: plan, failure } = useRead('hosts/sync', {});
  const { isReadOnly } = useSession();
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (plan === undefined) return <p class="counts muted">Planning a sync…</p>;
  return (
    <section class="sync" aria-label="Sync">
      <div class="row-of-buttons">
        <strong>{plan.changes.length === 0 ? 'All hosts are in step.' : describe(plan)}</strong>
        <button
          type="button"
          class="main"
          disabled={isReadOnly || plan.changes.length === 0}
          onClick={() => void apply()}
        >
          Apply
        </button>
        <button type="button" disabled={isReadOnly || !plan.canUndo} onClick={() => void takeBack()}>
          Undo sync
        </button>
        {plan.problems.length > 0 && (
          <span class="warn">{counted(plan.problems.length, 'skill')} cannot be as they should</span>
        )}
      </div>
      {(plan.changes.length > 0 || plan.problems.length > 0) && <Details plan={plan} />}
    </section>
  );
}

const MOST = 200;

function Details({ plan }: { readonly plan: SyncView }): JSX.Element {
  const { home } = useSession();
  return (
    <details>
      <summary>Show what changes</summary>
      <div class="plan" tabIndex={0} role="group" aria-label="Changes">
        <ul>
          {plan.changes.slice(0, MOST).map(({ kind, path, skill, hosts, because }) => (
            <li key={`${kind} ${path} ${skill}`} title={visible(because)}>
              <strong>{kind}</strong> <span class="mono">{visible(shortPath(path, home))}</span>{' '}
              <span class="muted">
                {visible(skill)} for {hosts.join(', ')}
              </span>
            </li>
          ))}
          {plan.changes.length > MOST && <li class="muted">and {plan.changes.length - MOST} more</li>}
        </ul>
        {plan.files.map(({ path, diff }) => (
          <DiffView key={path} diff={diff} label={`Changes in ${path}`} />
        ))}
        <ul>
          {plan.problems.slice(0, MOST).map(({ skill, hosts, because }, at) => (
            <li key={at} class="warn">
              {visible(skill)} in {hosts.join(', ')}: {visible(because)}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

function describe({ changes, files }: SyncView): string {
  const count = (kinds: readonly string[]): number => changes.filter(({ kind }) => kinds.includes(kind)).length;
  const parts = [
    [count(['link']), 'link'] as const,
    [count(['copy']), 'copy'] as const,
    [count(['remove']), 'removal'] as const,
    [count(['switch-on', 'switch-off']), 'switch'] as const,
  ]
    .filter(([number]) => number > 0)
    .map(([number, word]) =>
      counted(number, word, word === 'copy' ? 'copies' : word === 'switch' ? 'switches' : `${word}s`),
    );
  return `${parts.join(', ')}${files.length > 0 ? ` in ${counted(files.length, 'settings file')}` : ''}`;
}

async function apply(): Promise<void> {
  const answer = await change('hosts/sync', {});
  if (!answer.ok) notifyFailure(answer.failure);
  else
    notify({
      kind: 'done',
      text: `Synced: ${describe(answer.value)}.`,
      detail: `For ${answer.value.hosts.join(', ')}`,
      undo: () => void takeBack(),
    });
}

async function takeBack(): Promise<void> {
  const answer = await change('hosts/unsync', {});
  if (answer.ok)
    notify({ kind: 'done', text: `Undone: ${counted(answer.value.changes.length, 'change')} taken back.` });
  else notifyFailure(answer.failure);
}
