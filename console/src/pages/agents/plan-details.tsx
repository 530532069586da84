import type { JSX } from 'preact';

import type { FileDiff, SyncView } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { shortPath } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';

const MOST = 200;

interface PlanDetailsProps {
  readonly plan: SyncView;
  readonly config: FileDiff | undefined;
  readonly isOpen: boolean;
}

/** Everything that a sync changes: files as diffs, entries as lines. */
export function PlanDetails({ plan, config, isOpen }: PlanDetailsProps): JSX.Element | null {
  const { home } = useSession();
  const files = [...(config === undefined ? [] : [config]), ...plan.files];
  if (plan.changes.length + plan.problems.length + files.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>Show what changes</summary>
      <div class="plan" tabIndex={0} role="group" aria-label="Changes">
        {files.map(({ path, diff }) => (
          <DiffView key={path} diff={diff} label={`Changes in ${path}`} />
        ))}
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
