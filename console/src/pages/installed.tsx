import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { InstalledRow, UpdateList } from '../lib/answers.ts';
import { notifyFailure } from '../lib/notices.ts';
import { useSession } from '../lib/session.ts';
import { useJob } from '../lib/use-job.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted } from '../lib/words.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Link } from '../parts/link.tsx';
import { ProgressLine } from '../parts/progress-line.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { InstallPanel } from './installed/install-panel.tsx';
import { holdSkill, removeSkill } from './installed/installed-changes.ts';
import { UpdateCard } from './installed/update-card.tsx';

/** Installed skills: where they are from, whether they are as installed, their updates; and how to install more. */
export function InstalledPage(): JSX.Element {
  const { value, failure } = useRead('installed', {});
  const { progress, start, cancel } = useJob('updates/check');
  const [found, setFound] = useState<UpdateList>();
  const look = async (): Promise<void> => {
    const done = await start({});
    if (done.ok) setFound(done.value);
    else notifyFailure(done.failure);
  };
  return (
    <div class="page">
      <div class="head">
        <h1>Installed</h1>
        {progress === undefined ? (
          <button type="button" onClick={() => void look()}>
            Look for updates
          </button>
        ) : (
          <ProgressLine progress={progress} onCancel={cancel} />
        )}
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value?.failures.map((message) => (
        <Trouble key={message} failure={{ code: '', message }} />
      ))}
      {found !== undefined && <Updates found={found} onDone={() => void look()} />}
      {value !== undefined && <InstalledTable rows={value.skills} />}
      <InstallPanel />
    </div>
  );
}

function Updates({ found, onDone }: { readonly found: UpdateList; readonly onDone: () => void }): JSX.Element {
  return (
    <section class="stack" aria-label="Updates">
      <h2>
        {counted(found.updates.length, 'update')}, {found.current.length} up to date
        {found.held.length > 0 ? `, ${found.held.length} held` : ''}
      </h2>
      {found.updates.map((update) => (
        <UpdateCard key={update.name} update={update} onDone={onDone} />
      ))}
      {found.failed.map(({ name, message }) => (
        <p key={name} class="bad">
          {visible(name)}: {visible(message)}
        </p>
      ))}
    </section>
  );
}

function InstalledTable({ rows }: { readonly rows: readonly InstalledRow[] }): JSX.Element {
  if (rows.length === 0) return <p class="muted">Nothing is installed yet. Give an address below.</p>;
  return (
    <DataTable label="Installed skills" columns={['Skill', 'From', 'Files', 'Trust', 'Actions']}>
      {rows.map((row) => (
        <Row key={`${row.scope} ${row.name}`} row={row} />
      ))}
    </DataTable>
  );
}

function Row({ row }: { readonly row: InstalledRow }): JSX.Element {
  const { name, scope, address, choice, isHeld, isTrusted, files, changes } = row;
  const { isReadOnly } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <tr>
      <th scope="row">
        <Link page="skill" params={{ name }} class="mono">
          {visible(name)}
        </Link>
        {scope === 'project' && <span class="badge">project</span>}
        {isHeld && <span class="badge">held</span>}
      </th>
      <td class="mono origin">
        {visible(address ?? 'not in the lock')} <span class="muted">{choice}</span>
      </td>
      <td class={files === 'unchanged' ? 'good' : 'warn'}>
        {files === 'unchanged' ? 'as installed' : files}
        {changes.map((one) => (
          <p key={one} class="mono">
            {visible(one)}
          </p>
        ))}
      </td>
      <td>{isTrusted ? 'trusted' : 'not trusted'}</td>
      <td>
        <div class="row-of-buttons">
          <Link page="skill" params={{ name, tab: 'versions' }} class="button" title="Shows what would change first">
            Roll back…
          </Link>
          <button
            type="button"
            disabled={isReadOnly}
            title={
              isHeld ? 'Updates take it along again; changes the lock' : 'Updates leave it alone; changes the lock'
            }
            onClick={() => void holdSkill(row, !isHeld)}
          >
            {isHeld ? 'Let it update' : 'Hold'}
          </button>
          {isRemoving ? (
            <>
              <button type="button" class="danger" disabled={isReadOnly} onClick={() => void removeSkill(row)}>
                Remove its folder for good
              </button>
              <button type="button" onClick={() => setRemoving(false)}>
                Keep it
              </button>
            </>
          ) : (
            <button type="button" disabled={isReadOnly} onClick={() => setRemoving(true)}>
              Remove…
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}
