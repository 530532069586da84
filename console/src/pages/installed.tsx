import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../src/http/wire.ts';
import { useAgentMarks, type MarksOf } from '../lib/agent-marks.ts';
import type { InstalledRow, UpdateList, UpdateRow } from '../lib/answers.ts';
import { foundUpdates } from '../lib/attention.ts';
import { useSession } from '../lib/session.ts';
import { useJob } from '../lib/use-job.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, grouped } from '../lib/words.ts';
import { AgentMarks } from '../parts/agent-marks.tsx';
import { Link } from '../parts/link.tsx';
import { ProgressLine } from '../parts/progress-line.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { ImportPanel } from './installed/import-panel.tsx';
import { InstallPanel } from './installed/install-panel.tsx';
import { holdSkill, removeSkill } from './installed/installed-changes.ts';
import { UpdateCard } from './installed/update-card.tsx';

/** Installed skills: how to install more, those with updates, and all others with who has them. */
export function InstalledPage(): JSX.Element {
  const { value, failure } = useRead('installed', {});
  const foreign = useRead('foreign', {}).value?.skills ?? [];
  const { hosts, isReadOnly } = useSession();
  const { progress, start, cancel } = useJob('updates/check');
  const [unchecked, setUnchecked] = useState<WireFailure>();
  const [reviewed, setReviewed] = useState<readonly string[]>([]);
  const found = foundUpdates.value;
  const marksOf = useAgentMarks(value !== undefined && value.skills.length > 0);
  const check = async (): Promise<void> => {
    setUnchecked(undefined);
    const done = await start({});
    if (done.ok) foundUpdates.value = done.value;
    else setUnchecked(done.failure);
  };
  const rows = value?.skills ?? [];
  const isEmpty = value !== undefined && rows.length === 0;
  const updates = found?.updates ?? [];
  const isReviewing = updates.some((update) => reviewed.includes(keyOf(update)));
  return (
    <div class="page installed" style={{ '--agents': hosts.length }}>
      <div class="section">
        <div class="head">
          <h1>Installed</h1>
          {rows.length > 0 && (
            <span class="muted" role="status">
              {counted(rows.length, 'skill')}
              {found !== undefined && ` · ${counted(updates.length, 'update')} available`}
            </span>
          )}
          {rows.length > 0 && (
            <div class="actions">
              {progress === undefined ? (
                <>
                  {updates.length > 1 && (
                    <button type="button" onClick={() => setReviewed(updates.map(keyOf))}>
                      Review {updates.length === 2 ? 'both' : `all ${grouped(updates.length)}`} updates…
                    </button>
                  )}
                  <button type="button" onClick={() => void check()}>
                    Check for updates
                  </button>
                </>
              ) : (
                <ProgressLine progress={progress} onCancel={cancel} />
              )}
            </div>
          )}
        </div>
        {!isReadOnly && <InstallPanel isMain={!isReviewing && (!isEmpty || foreign.length === 0)} />}
      </div>
      {[failure, unchecked].map((one) => one !== undefined && <Trouble key={one.message} failure={one} />)}
      {value?.failures.map((message) => (
        <Trouble key={message} failure={{ code: '', message }} />
      ))}
      {found?.failed.map(({ name, message }) => (
        <p key={name} class="bad">
          {visible(name)}: {visible(message)}
        </p>
      ))}
      {isEmpty && (
        <p>
          No installed skills yet.{' '}
          {!isReadOnly && (
            <>
              Enter a repository such as <span class="mono">owner/repo</span>, a URL or a folder.
            </>
          )}
        </p>
      )}
      {rows.length > 0 && (
        <InstalledTable
          rows={rows}
          found={found}
          marksOf={marksOf}
          reviewed={reviewed}
          onReview={setReviewed}
          onUpdated={() => void check()}
        />
      )}
      <ImportPanel skills={foreign} />
    </div>
  );
}

function keyOf({ scope, name }: Pick<InstalledRow, 'scope' | 'name'>): string {
  return `${scope} ${name}`;
}

interface InstalledTableProps {
  readonly rows: readonly InstalledRow[];
  readonly found: UpdateList | undefined;
  readonly marksOf: MarksOf;
  /** The updates that are open. */
  readonly reviewed: readonly string[];
  readonly onReview: (keys: readonly string[]) => void;
  readonly onUpdated: () => void;
}

function InstalledTable({ rows, found, ...rest }: InstalledTableProps): JSX.Element {
  const updates = new Map(found?.updates.map((update) => [keyOf(update), update]));
  const groups = [
    { title: 'Updates', some: rows.filter((row) => updates.has(keyOf(row))) },
    { title: updates.size === 0 ? 'All skills' : 'All others', some: rows.filter((row) => !updates.has(keyOf(row))) },
  ].filter(({ some }) => some.length > 0);
  return (
    <table class="table rows-table" aria-label="Installed skills">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Agents</th>
          <th scope="col">From</th>
          <th scope="col">Version</th>
          <th scope="col">Status</th>
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      {groups.map(({ title, some }) => (
        <tbody key={title}>
          <tr class="group">
            <th colSpan={6} scope="rowgroup">
              {title} <span class="count">{grouped(some.length)}</span>
            </th>
          </tr>
          {some.map((row) => (
            <Row key={keyOf(row)} row={row} found={found} update={updates.get(keyOf(row))} {...rest} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface RowProps extends Omit<InstalledTableProps, 'rows'> {
  readonly row: InstalledRow;
  readonly update: UpdateRow | undefined;
}

function Row({ row, found, update, marksOf, reviewed, onReview, onUpdated }: RowProps): JSX.Element {
  const { name, scope, file, address, choice, changes } = row;
  const key = keyOf(row);
  const isOpen = update !== undefined && reviewed.includes(key);
  return (
    <>
      <tr>
        <th scope="row">
          <Link page="skill" params={{ name }} class="mono name" title={visible(name)}>
            {visible(name)}
          </Link>
          {scope === 'project' && <span class="badge">project</span>}
        </th>
        <td>
          <AgentMarks marks={file === undefined ? undefined : marksOf({ file })} />
        </td>
        <td class="from mono" title={visible(address ?? '')}>
          {visible(address ?? 'not in the lock file')}
        </td>
        <td class="version mono" title={[choice, update?.to].filter(Boolean).join(' → ')}>
          {shorten(choice)}
          {update !== undefined && ` → ${shorten(update.to)}`}
        </td>
        <td class="status">
          {statusOf(row, update, found)}
          {changes.map((one) => (
            <p key={one} class="mono warn">
              {visible(one)}
            </p>
          ))}
        </td>
        <td class="act">
          {update === undefined ? (
            <RowMenu row={row} />
          ) : (
            <button
              type="button"
              class="small"
              aria-expanded={isOpen}
              onClick={() => onReview(isOpen ? reviewed.filter((one) => one !== key) : [...reviewed, key])}
            >
              Review update…<span class="unseen"> {visible(name)}</span>
            </button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colSpan={6}>
            <UpdateCard update={update} onDone={onUpdated} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A commit as people name it; other versions as they are. */
function shorten(version: string = ''): string {
  return /^[\da-f]{12,}$/.test(version) ? version.slice(0, 7) : version;
}

function statusOf(
  { name, isHeld, files }: InstalledRow,
  update: UpdateRow | undefined,
  found: UpdateList | undefined,
): JSX.Element {
  const state =
    update !== undefined
      ? 'update available'
      : isHeld
        ? 'on hold'
        : found?.pinned.includes(name) === true
          ? 'fixed'
          : found?.current.includes(name) === true
            ? '✓ up to date'
            : undefined;
  const words = [state, files === 'unchanged' ? (state === undefined ? 'as installed' : undefined) : files];
  const text = words.filter((word) => word !== undefined).join(' · ');
  return update === undefined ? <span class={files === 'unchanged' ? '' : 'warn'}>{text}</span> : <b>{text}</b>;
}

/** Everything else that can be done with an installed skill. Removing asks once more, for it cannot be undone. */
function RowMenu({ row }: { readonly row: InstalledRow }): JSX.Element {
  const { name, isHeld } = row;
  const { isReadOnly } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <details class="row-menu">
      <summary class="button small">
        <span aria-hidden="true">⋯</span>
        <span class="unseen">More actions for {visible(name)}</span>
      </summary>
      <div class="row-menu-items">
        <Link page="skill" params={{ name, tab: 'versions' }} class="button" title="Shows what would change first">
          {isReadOnly ? 'Versions' : 'Roll back…'}
        </Link>
        {!isReadOnly && (
          <button
            type="button"
            title={isHeld ? 'Updates include it again' : 'Updates skip it'}
            onClick={() => void holdSkill(row, !isHeld)}
          >
            {isHeld ? 'Allow updates' : 'Hold'}
          </button>
        )}
        {!isReadOnly && !isRemoving && (
          <button type="button" onClick={() => setRemoving(true)}>
            Remove…
          </button>
        )}
        {isRemoving && (
          <>
            <button type="button" class="danger" onClick={() => void removeSkill(row)}>
              Remove its folder for good
            </button>
            <button type="button" onClick={() => setRemoving(false)}>
              Keep it
            </button>
          </>
        )}
      </div>
    </details>
  );
}
