import {
  HOST_IDS,
  listSynced,
  planSwitched,
  planSync,
  sync,
  undoSync,
  type HostSwitch,
  type SyncPlan,
} from '../../hosts.ts';
import { switchForHosts } from '../../install.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ChangeAnswer, ConsoleContext, JobAnswer, ReadAnswer } from '../console-context.ts';
import type { HostCell, SyncView } from '../wire/hosts.ts';

/** The changes that would bring the agent programs in step with the catalog. */
export const previewSync: ReadAnswer<'hosts/sync'> = async (context) => {
  const planned = await planSync(context.place);
  return planned.ok ? { ok: true, ...toView(planned.plan, context) } : planned;
};

/** The same after cells of the matrix were switched, and the line of the configuration that switches them. */
export const planCells: JobAnswer<'hosts/plan'> = async (context, { cells }) => {
  const read = readCells(cells);
  const planned = read.ok ? await planSwitched(read.switches, context.place) : read;
  return planned.ok ? { ok: true, ...toView(planned.plan, context), config: planned.config ?? null } : planned;
};

export const applySync: ChangeAnswer<'hosts/sync'> = (context, { cells }) =>
  afterCells(context, cells, () => sync(context.place));

/** Takes everything back that a sync made. */
export const takeBackSync: ChangeAnswer<'hosts/unsync'> = (context, { cells }) =>
  afterCells(context, cells, () => undoSync(context.place));

async function afterCells(
  context: ConsoleContext,
  cells: readonly HostCell[],
  work: () => Promise<Outcome<{ readonly report: SyncPlan }>>,
): Promise<Outcome<SyncView>> {
  for (const { name, host, isOn } of cells) {
    const switched = await switchForHosts(name, isOn, { ...context.place, hosts: [host] });
    if (!switched.ok) return switched;
  }
  const done = await work();
  await context.announce();
  return done.ok ? { ok: true, ...toView(done.report, context) } : done;
}

function readCells(cells: readonly HostCell[]): Outcome<{ readonly switches: readonly HostSwitch[] }> {
  const switches = cells.flatMap(({ host, ...rest }) => {
    const id = HOST_IDS.find((one) => one === host);
    return id === undefined ? [] : [{ ...rest, host: id }];
  });
  if (switches.length === cells.length) return { ok: true, switches };
  return fail('CONFIG_INVALID', 'there is no such host', `Known are ${HOST_IDS.join(', ')}.`);
}

function toView({ hosts, changes, problems, files }: SyncPlan, { place }: ConsoleContext): SyncView {
  return {
    hosts,
    changes: changes.map(({ kind, path, skill, hosts: own, because }) => ({ kind, path, skill, hosts: own, because })),
    problems: problems.map(({ skill, hosts: own, because }) => ({ skill, hosts: own, because })),
    files: files.map(({ path, diff }) => ({ path, diff })),
    canUndo: listSynced(place).length > 0,
  };
}
