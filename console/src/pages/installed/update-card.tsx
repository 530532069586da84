import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../../src/http/wire.ts';
import type { UpdateRow } from '../../lib/answers.ts';
import { notify } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { useJob } from '../../lib/use-job.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Findings } from '../../parts/findings.tsx';
import { ProgressLine } from '../../parts/progress-line.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** One update: what it changes beside what its audit newly finds, then the decision. */
export function UpdateCard({
  update,
  onDone,
}: {
  readonly update: UpdateRow;
  readonly onDone: () => void;
}): JSX.Element {
  const { name, scope, from, to, digest, changes, localChanges, addedFindings, isRefused, diff } = update;
  const { isReadOnly } = useSession();
  const { progress, start, cancel } = useJob('updates/apply');
  const [failure, setFailure] = useState<WireFailure>();
  const apply = async (): Promise<void> => {
    const done = await start({ name, scope, digest });
    setFailure(done.ok ? undefined : done.failure);
    if (!done.ok) return;
    notify({ kind: 'done', text: `Updated ${name}.`, detail: 'The version before is kept; Roll back returns to it.' });
    onDone();
  };
  return (
    <article class="paper stack">
      <div class="head">
        <h2 class="mono">{visible(name)}</h2>
        <span class="mono muted">
          {from} → {to}
        </span>
        {progress === undefined ? (
          !isReadOnly && (
            <button type="button" class="main" onClick={() => void apply()}>
              {isRefused ? 'Accept the findings and update' : 'Update'}
            </button>
          )
        ) : (
          <ProgressLine progress={progress} onCancel={cancel} />
        )}
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {failure !== undefined && (
        <div>
          <button type="button" onClick={onDone}>
            Look for updates again
          </button>
        </div>
      )}
      {localChanges.length > 0 && (
        <p class="warn">
          Replaces {counted(localChanges.length, 'file')} that you changed: {visible(localChanges.join(', '))}
        </p>
      )}
      <div class="halves">
        <div class="stack">
          <p class="muted">{visible(changes.join(', '))}</p>
          <DiffView diff={diff} label={`Changes of ${name}`} />
        </div>
        <div class="stack">
          <p>{addedFindings.length === 0 ? 'No new findings.' : counted(addedFindings.length, 'new finding')}</p>
          <Findings findings={addedFindings} />
        </div>
      </div>
    </article>
  );
}
