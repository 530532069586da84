import { z } from 'zod';

import type { HostSwitch } from '../../config/host-globs.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { planAgents, planSwitchedAgents, syncAgents } from '../../engine/sync-agents.ts';
import { HOSTS } from '../../hosts/all-hosts.ts';
import { connectHost, disconnectHost, planConnection } from '../../hosts/connecting/connect-host.ts';
import { requestConnection, type WantedConnection } from '../../hosts/connecting/connection-request.ts';
import { reportHost } from '../../hosts/seeing/host-report.ts';
import { indexFiles } from '../../hosts/seeing/skill-in-view.ts';
import { viewHost } from '../../hosts/seeing/view-host.ts';
import { readHostWishes, type SwitchedPlan } from '../../hosts/sync/plan-switched.ts';
import { listSynced, undoSync, type SyncReport } from '../../hosts/sync/sync.ts';
import { switchForHosts } from '../../install/switch.ts';
import { findHostId, HOST_IDS } from '../../model/agents.ts';
import { parseJson } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { change, read, type ConsoleContext } from '../endpoint.ts';
import { host, name, nothing } from '../input-fields.ts';

/** Says what every agent program on this machine makes of every copy of every skill. */
export const viewHosts = read(nothing, async ({ skills, place }) => {
  const { environment } = skills;
  const views = HOST_IDS.map((id) => viewHost(HOSTS[id], environment));
  const hosts = HOST_IDS.map((id, at) => reportHost(HOSTS[id], environment, views[at]));
  const present = hosts.flatMap(({ id, isPresent }, at) => {
    const view = views[at];
    return isPresent && view !== undefined ? [{ id, find: indexFiles(view) }] : [];
  });
  const isFor = await readHostWishes(place);
  return {
    ok: true,
    hosts,
    /** Of each copy, one cell for each agent program that is present, in their order. */
    rows: skills.copies().map(({ file, name: own, enabled }) => ({
      file,
      cells: present.map(({ id, find }) => {
        const seen = find(file);
        const standing = seen?.standing ?? ('unseen' as const);
        return { standing, because: seen?.because, isWanted: enabled && isFor(own, id) };
      }),
    })),
  };
});

/** Cells of the matrix of skills and hosts that are switched. */
const cells = z
  .array(z.strictObject({ host, name, isOn: z.boolean() }))
  .max(1_000)
  .readonly();
type Cells = z.infer<typeof cells>;

/**
 * The changes that would bring the agent programs in step with the catalog; after cells (JSON) were switched, if there are any,
 * with the change of the configuration that switches them.
 */
export const previewSync = read(
  z.strictObject({ cells: z.string().max(100_000).optional() }),
  async ({ place }, { cells: text = '[]' }) => {
    const given = cells.safeParse(parseJson(text));
    const switches = given.success ? readCells(given.data) : fail('CONFIG_INVALID', 'these are no cells');
    if (!switches.ok) return switches;
    const planned: Outcome<Partial<SwitchedPlan> & Pick<SwitchedPlan, 'plan'>> =
      switches.list.length === 0
        ? await planAgents(matrix(place))
        : await planSwitchedAgents(switches.list, matrix(place));
    if (!planned.ok) return planned;
    const { plan: report, config } = planned;
    return { ok: true, ...report, config, canUndo: listSynced(place).length > 0 };
  },
);

/** The matrix has a cell for every skill, also for those in the folders of other agents. */
function matrix<Place extends object>(place: Place): Place & { readonly everything: true } {
  return { ...place, everything: true };
}

function readCells(given: Cells): Outcome<{ readonly list: readonly HostSwitch[] }> {
  const list = given.flatMap(({ host: wanted, ...cell }) => {
    const id = findHostId(wanted);
    return id === undefined ? [] : [{ ...cell, host: id }];
  });
  if (list.length === given.length) return { ok: true, list };
  return fail('CONFIG_INVALID', 'unknown agent', { choose: HOST_IDS });
}

/** Switches cells in the setting `hosts`, then syncs. */
export const applySync = change(z.strictObject({ cells }), (context, given) =>
  afterCells(context, given.cells, () => syncAgents(matrix(context.place))),
);

/** Switches cells, then takes back everything that was synced. */
export const takeBackSync = change(z.strictObject({ cells }), (context, given) =>
  afterCells(context, given.cells, () => undoSync(context.place)),
);

async function afterCells(
  { place, announce }: ConsoleContext,
  given: Cells,
  work: () => Promise<Outcome<{ readonly report: SyncReport }>>,
): Promise<Outcome<SyncReport>> {
  const wishes = given.map(({ host: id, ...cell }) => ({ ...cell, hosts: [id] }));
  const switched = given.length === 0 ? [] : await switchForHosts(wishes, place);
  const failure = switched.map(({ outcome }) => outcome).find((outcome) => !outcome.ok);
  if (failure !== undefined) return failure;
  const done = await work();
  if (done.ok) return { ok: true, ...done.report };
  await announce();
  return done;
}

const flag = z.literal('true').optional();

/**
 * Says what would be written into the files of a host, and writes nothing. `server`, `hook`: what the host shall have; without
 * both it is disconnected. `recordsUse`: its hook also tells us of every skill that is used.
 */
export const previewConnection = read(
  z.strictObject({ host, server: flag, hook: flag, recordsUse: flag }),
  async ({ skills }, { host: id, server, hook, recordsUse }) => {
    const wanted = { server: server !== undefined, hook: hook !== undefined, recordsUse: recordsUse !== undefined };
    const planned = plan(skills, id, wanted);
    return planned.ok ? { ok: true, files: planned.files, next: planned.next } : planned;
  },
);

export const connect = change(
  z.strictObject({ host, server: z.boolean(), hook: z.boolean(), recordsUse: z.boolean() }),
  async ({ skills }, { host: id, ...wanted }) => {
    const planned = plan(skills, id, wanted);
    if (!planned.ok) return planned;
    const { agent, wish, files, next } = planned;
    const { environment } = skills;
    const done = await (wish === undefined
      ? disconnectHost(agent, environment)
      : connectHost(agent, environment, wish));
    return done.ok ? { ok: true, files, next } : done;
  },
);

/** The files that would change, and the steps that are left to the person. */
function plan({ environment }: Skills, id: string, wanted: WantedConnection) {
  const known = findHostId(id);
  if (known === undefined) return fail('CONFIG_INVALID', `unknown agent "${id}"`, { choose: HOST_IDS });
  const agent = HOSTS[known];
  // Without both, it is left without us.
  const wish = wanted.server || wanted.hook ? requestConnection(agent, wanted, environment) : undefined;
  const planned = planConnection(agent, environment, wish);
  if (!planned.ok) return planned;
  const next = wanted.hook ? agent.hook.afterwards : undefined;
  return { ok: true as const, agent, wish, files: planned.files, next };
}
