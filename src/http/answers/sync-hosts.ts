import { listSynced, planSync, sync, undoSync, type SyncPlan } from '../../hosts.ts';
import type { ChangeAnswer, ConsoleContext, ReadAnswer } from '../console-context.ts';
import type { SyncView } from '../wire/hosts.ts';

/** The changes that would bring the agent programs in step with the catalog. */
export const previewSync: ReadAnswer<'hosts/sync'> = async (context) => {
  const planned = await planSync(context.place);
  return planned.ok ? { ok: true, ...toView(planned.plan, context) } : planned;
};

export const applySync: ChangeAnswer<'hosts/sync'> = async (context) => {
  const done = await sync(context.place);
  if (!done.ok) return done;
  await context.announce();
  return { ok: true, ...toView(done.report, context) };
};

/** Takes everything back that a sync made. */
export const takeBackSync: ChangeAnswer<'hosts/unsync'> = async (context) => {
  const done = await undoSync(context.place);
  if (!done.ok) return done;
  await context.announce();
  return { ok: true, ...toView(done.report, context) };
};

function toView({ hosts, changes, problems, files }: SyncPlan, { place }: ConsoleContext): SyncView {
  return {
    hosts,
    changes: changes.map(({ kind, path, skill, hosts: own, because }) => ({ kind, path, skill, hosts: own, because })),
    problems: problems.map(({ skill, hosts: own, because }) => ({ skill, hosts: own, because })),
    files: files.map(({ path, diff }) => ({ path, diff })),
    canUndo: listSynced(place).length > 0,
  };
}
