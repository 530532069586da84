import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { InstalledRow, UpdateList, VersionsView } from '../../lib/answers.ts';
import { notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { useJob } from '../../lib/use-job.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { ProgressLine } from '../../parts/progress-line.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { holdSkill, rollBack } from '../installed/installed-changes.ts';
import { UpdateCard } from '../installed/update-card.tsx';

/** The versions of an installed skill: the one that is here, a newer one if there is, and the one before. */
export function VersionsTab({ name }: { readonly name: string }): JSX.Element {
  const { value, failure } = useRead('skill/versions', { name });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  const { installed, previous } = value;
  if (installed === undefined) return <p class="muted">It was not installed from anywhere.</p>;
  return (
    <div class="stack">
      <Current row={installed} />
      <Newer row={installed} />
      <Before row={installed} previous={previous} />
    </div>
  );
}

function Current({ row }: { readonly row: InstalledRow }): JSX.Element {
  const { isReadOnly } = useSession();
  const { address, choice, files, changes, isHeld } = row;
  return (
    <section class="stack" aria-label="Installed version">
      <div class="head">
        <h2>Installed</h2>
        <span class="mono">{visible(choice ?? 'unknown')}</span>
        {!isReadOnly && (
          <button type="button" onClick={() => void holdSkill(row, !isHeld)}>
            {isHeld ? 'Allow updates' : 'Hold'}
          </button>
        )}
        {isHeld && <span class="badge">held: updates skip it</span>}
      </div>
      <p class="mono muted">{visible(address ?? 'not in the lock')}</p>
      <p class={files === 'unchanged' ? 'good' : 'warn'}>
        {files === 'unchanged' ? 'Its files are as installed.' : `Its files: ${files}. ${visible(changes.join(', '))}`}
      </p>
    </section>
  );
}

function Newer({ row: { name, scope } }: { readonly row: InstalledRow }): JSX.Element {
  const { progress, start, cancel } = useJob('updates/check');
  const [found, setFound] = useState<UpdateList>();
  const look = async (): Promise<void> => {
    const done = await start({ only: { name, scope } });
    if (done.ok) setFound(done.value);
    else notifyFailure(done.failure);
  };
  return (
    <section class="stack" aria-label="Newer version">
      <div class="head">
        <h2>Newer</h2>
        {progress === undefined ? (
          <button type="button" onClick={() => void look()}>
            Look for an update
          </button>
        ) : (
          <ProgressLine progress={progress} onCancel={cancel} />
        )}
      </div>
      {found?.updates.map((update) => (
        <UpdateCard key={update.name} update={update} onDone={() => setFound(undefined)} />
      ))}
      {found?.failed.map(({ message }) => (
        <p key={message} class="bad">
          {visible(message)}
        </p>
      ))}
      {found !== undefined && found.updates.length + found.failed.length === 0 && (
        <p class="muted">
          {found.held.length > 0
            ? 'It is held, so nothing was looked for.'
            : found.pinned.length > 0
              ? 'It is installed at a fixed version, so there is none.'
              : 'There is none: this is the newest.'}
        </p>
      )}
    </section>
  );
}

interface BeforeProps {
  readonly row: InstalledRow;
  readonly previous: VersionsView['previous'];
}

function Before({ row, previous }: BeforeProps): JSX.Element {
  const { isReadOnly } = useSession();
  if (previous === undefined)
    return (
      <section class="stack" aria-label="Version before">
        <h2>Before</h2>
        <p class="muted">No earlier version is kept. An update keeps the one that it replaces.</p>
      </section>
    );
  return (
    <section class="stack" aria-label="Version before">
      <div class="head">
        <h2>Before</h2>
        <span class="mono">{visible(previous.choice ?? 'unknown')}</span>
        {!isReadOnly && (
          <button type="button" onClick={() => void rollBack(row)}>
            Roll back to it
          </button>
        )}
      </div>
      <p class="muted">{visible(previous.changes.join(', ') || 'It has the same files.')}</p>
      {previous.diff !== '' && <DiffView diff={previous.diff} label="What a rollback changes" />}
    </section>
  );
}
