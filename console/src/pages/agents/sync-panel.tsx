import type { JSX } from 'preact';

import type { HostCell, SyncView } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { counted, shortPath } from '../../lib/words.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { readCells, writeCells } from './cells.ts';
import { PlanDetails } from './plan-details.tsx';

/** The plan that brings every host in step with what is enabled here, switched cells included: shown, applied, taken back. */
export function SyncPanel(): JSX.Element {
  const cells = readCells();
  const { value: plan, failure } = useRead('hosts/sync', cells.length === 0 ? {} : { cells: JSON.stringify(cells) });
  const { isReadOnly, home } = useSession();
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (plan === undefined) return <p class="sync muted">Planning a sync…</p>;
  const { config, canUndo: wasSynced } = plan;
  return (
    <section class="sync" aria-label="Sync">
      <div class="row-of-buttons">
        <strong>
          {cells.length > 0 && `${counted(cells.length, 'cell')} switched: `}
          {config !== undefined && `hosts in ${shortPath(config.path, home)}, `}
          {plan.changes.length === 0 ? 'All hosts are in step.' : describe(plan)}
        </strong>
        <button
          type="button"
          class="main"
          disabled={isReadOnly || (plan.changes.length === 0 && config === undefined)}
          onClick={() => void apply(cells, wasSynced)}
        >
          Apply
        </button>
        {cells.length > 0 ? (
          <button type="button" onClick={() => writeCells([])}>
            Discard
          </button>
        ) : (
          <button type="button" disabled={isReadOnly || !wasSynced} onClick={() => void takeBack([])}>
            Undo sync
          </button>
        )}
        {plan.problems.length > 0 && (
          <span class="warn">{counted(plan.problems.length, 'skill')} cannot be as they should</span>
        )}
      </div>
      <PlanDetails plan={plan} config={config} isOpen={cells.length > 0} />
    </section>
  );
}

function describe({ changes, files }: SyncView): string {
  const count = (kinds: readonly string[]): number => changes.filter(({ kind }) => kinds.includes(kind)).length;
  const parts = [
    [count(['link']), 'link', 'links'] as const,
    [count(['copy']), 'copy', 'copies'] as const,
    [count(['remove']), 'removal', 'removals'] as const,
    [count(['switch-on', 'switch-off']), 'switch', 'switches'] as const,
  ]
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => counted(number, one, many));
  return `${parts.join(', ')}${files.length > 0 ? ` in ${counted(files.length, 'settings file')}` : ''}`;
}

/** `wasSynced`: were hosts in step before, so that taking cells back must not take back everything? */
async function apply(cells: readonly HostCell[], wasSynced: boolean): Promise<void> {
  const answer = await change('hosts/sync', { cells });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  writeCells([]);
  const back = cells.map((cell) => ({ ...cell, isOn: !cell.isOn }));
  const subject = cells.length === 0 ? '' : `${counted(cells.length, 'cell')} switched; `;
  const synced = answer.value.changes.length === 0 ? 'nothing else to change' : describe(answer.value);
  notify({
    kind: 'done',
    text: `Synced: ${subject}${synced}.`,
    detail: `For ${answer.value.hosts.join(', ')}`,
    undo: () => void (wasSynced && cells.length > 0 ? apply(back, true) : takeBack(back)),
  });
}

async function takeBack(cells: readonly HostCell[]): Promise<void> {
  const answer = await change('hosts/unsync', { cells });
  if (answer.ok)
    notify({ kind: 'done', text: `Undone: ${counted(answer.value.changes.length, 'change')} taken back.` });
  else notifyFailure(answer.failure);
}
