import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { openStore } from '../../catalog/store.ts';
import type { HostId } from '../../model/host-id.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { EnvironmentOptions } from '../../platform/environment.ts';
import { exists, realPath } from '../../platform/files/files.ts';
import { makeFolderInside } from '../../platform/files/folders.ts';
import { sweepLeftovers } from '../../platform/files/leftovers.ts';
import { withLocks, type HeldLock } from '../../platform/files/lock.ts';
import { finishPendingChanges, hasPendingChanges, pendingFolder } from '../../platform/files/pending-changes.ts';
import { removeEmptyFolder, removeFile } from '../../platform/files/remove-tree.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { watchDirectories, type WatchTarget } from '../../platform/files/watch.ts';
import { applyPlan, REPLACED } from './apply-plan.ts';
import { makePlan } from './make-plan.ts';
import { readSyncManifest, renderSyncManifest, sortManifest, type SyncManifest } from './manifest.ts';
import { observe, type Observed } from './observed.ts';
import { listUnseen, type SyncedCopy } from './report-views.ts';
import type { SyncPlan, WholePlan } from './sync-plan.ts';
import { readSyncRequest, type SyncOptions, type SyncRequest } from './sync-request.ts';
import { readWanted, type WantedSkill } from './wanted-skills.ts';

/** The changes that a sync made, and the problems that are left. */
export interface SyncReport extends SyncPlan {
  /** Was nothing of this scope synced before? */
  readonly isFirst: boolean;
}

/** Says what `sync` would change, and changes nothing. */
export async function planSync(options: SyncOptions = {}): Promise<Outcome<{ readonly plan: SyncReport }>> {
  const request = readSyncRequest(options);
  const planned = request.ok ? await planFor(request) : request;
  return planned.ok ? { ok: true, plan: toReport(planned.plan, planned.isThere) } : planned;
}

/**
 * Brings the folders and switches of other agent programs in step with the catalog: after it, each sees exactly what is
 * enabled here for it, and the report says where that is not possible. Touches only what an earlier sync made.
 */
export async function sync(options: SyncOptions = {}): Promise<Outcome<{ readonly report: SyncReport }>> {
  const request = readSyncRequest(options);
  if (!request.ok) return request;
  const finished = await finishPendingChanges(request.environment.agentHome, { onWait: request.onWait });
  const first = finished.ok ? await planFor(request) : finished;
  if (!first.ok) return first;
  const done = isNothing(first.plan) ? first : await carryOut(request, () => planFor(request));
  if (!done.ok) return done;
  const known = new Set(first.plan.problems.flatMap(({ skill, hosts }) => hosts.map((host) => `${host} ${skill}`)));
  const copies = listCopies(request);
  const unseen = listUnseen(request.hosts, { skills: first.skills, copies, place: request.environment });
  const others = unseen.filter(({ skill, hosts }) => !hosts.some((host) => known.has(`${host} ${skill}`)));
  const report = toReport(first.plan, first.isThere);
  const changes = report.changes.map((change) =>
    change.kind === 'link' && copies.some(({ path }) => path === change.path)
      ? { ...change, kind: 'copy' as const }
      : change,
  );
  return { ok: true, report: { ...report, changes, problems: [...report.problems, ...others] } };
}

/** The copies of ours that are there now: a link that was planned may have been refused. */
function listCopies({ manifestFile }: SyncRequest): readonly SyncedCopy[] {
  const read = readSyncManifest(manifestFile);
  const entries = read.ok ? read.manifest.entries : [];
  return entries.flatMap(({ path, content }) => (content.kind === 'copy' ? [{ path, from: content.from }] : []));
}

/** Takes back everything that sync made, to the byte. What others changed since stays, and is reported. */
export async function undoSync(
  options: Omit<SyncOptions, 'hosts'> = {},
): Promise<Outcome<{ readonly report: SyncReport }>> {
  const request = readSyncRequest({ ...options, hosts: [] });
  if (!request.ok) return request;
  const finished = await finishPendingChanges(request.environment.agentHome, { onWait: request.onWait });
  const first = finished.ok ? planUndo(request) : finished;
  if (!first.ok) return first;
  if (!first.isThere) return { ok: true, report: toReport(first.plan, false) };
  const done = await carryOut(request, async () => planUndo(request), { isUndoing: true });
  removeEmptyFolder(dirname(request.manifestFile));
  return done.ok ? { ok: true, report: toReport(first.plan, first.isThere) } : done;
}

/** The hosts that are kept in step: those that were synced, and not undone. */
export function listSynced(options: Pick<SyncOptions, keyof EnvironmentOptions | 'project'> = {}): readonly HostId[] {
  const request = readSyncRequest({ ...options, hosts: [] });
  const read = request.ok ? readSyncManifest(request.manifestFile) : request;
  return read.ok ? read.manifest.hosts : [];
}

/** Syncs again whenever skills or settings change, until it is closed. */
export async function watchSync(
  options: SyncOptions,
  onSync: (result: Outcome<{ readonly report: SyncReport }>) => void,
): Promise<Outcome<{ readonly close: () => Promise<void> }>> {
  const request = readSyncRequest(options);
  if (!request.ok) return request;
  const { cwd, home, variables, settings } = request.environment;
  const store = await openStore({ cwd, home, env: variables, config: settings });
  let running = sync(options).then(onSync);
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(() => sync(options)).then(onSync);
    }, SETTLED_MS);
  };
  const watch = await store.watch(again);
  await running;
  // The setting `hosts` changes no skill, and neither does an entry that others removed.
  const places = watchDirectories(again);
  places.update(listPlaces(request));
  return {
    ok: true,
    async close() {
      clearTimeout(timer);
      watch.close();
      places.close();
      await running;
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Changes within this time of each other are synced together. */
const SETTLED_MS = 250;

function listPlaces({ environment, scope, hosts, boundary }: SyncRequest): readonly WatchTarget[] {
  const observed = observe(environment, scope);
  const config = new Set(['config.yaml']);
  const homes = [environment.agentHome, ...(boundary === undefined ? [] : [join(boundary, '.agent')])];
  const folders = new Set(hosts.map((id) => observed.host(id).folder));
  return [...homes.map((dir) => ({ dir, names: config })), ...[...folders].map((dir) => ({ dir }))];
}

interface Planned {
  readonly plan: WholePlan;
  readonly skills: readonly WantedSkill[];
  readonly isThere: boolean;
}

async function planFor(request: SyncRequest): Promise<Outcome<Planned>> {
  const { environment, scope, hosts, isCopying } = request;
  const read = readSyncManifest(request.manifestFile);
  const wanted = read.ok ? await readWanted(environment, scope, request.admit) : read;
  if (!read.ok) return read;
  if (!wanted.ok) return wanted;
  const { manifest, isThere } = read;
  const plan = makePlan(
    { scope, hosts, skills: wanted.skills, manifest, manifestFile: request.manifestFile, isCopying },
    observe(environment, scope),
  );
  return { ok: true, plan, skills: wanted.skills, isThere };
}

function planUndo({ environment, scope, manifestFile }: SyncRequest): Outcome<Planned> {
  const read = readSyncManifest(manifestFile);
  if (!read.ok) return read;
  const { manifest, isThere } = read;
  const observed: Observed = observe(environment, scope);
  const plan = makePlan(
    { scope, hosts: manifest.hosts, skills: [], manifest, manifestFile, isCopying: false, isUndoing: true },
    observed,
  );
  return { ok: true, plan, skills: [], isThere };
}

function isNothing({ added, removed, edits, before, after }: WholePlan): boolean {
  return added.length + removed.length + edits.length === 0 && isDeepStrictEqual(before, after);
}

function toReport({ scope, hosts, changes, problems, files }: WholePlan, isThere: boolean): SyncReport {
  return { scope, hosts, changes, problems, files, isFirst: !isThere };
}

interface CarryOptions {
  readonly isUndoing?: boolean;
}

/** Plans again under the locks, and applies that. */
function carryOut(
  request: SyncRequest,
  plan: () => Promise<Outcome<Planned>>,
  { isUndoing = false }: CarryOptions = {},
): Promise<Outcome> {
  const { manifestFile, environment, onWait } = request;
  const patience = { patienceMs: PATIENCE_MS, onWait };
  return withLocks(
    [manifestFile],
    async (outer) => {
      const first = await plan();
      if (!first.ok) return first;
      const noted = noteFirst(first, request, outer.check);
      if (!noted.ok) return noted;
      const files = listFiles(first.plan, request);
      const applied = await withLocks(
        files,
        async (inner) => {
          const held: HeldLock = { check: () => firstFailure([outer.check(), inner.check()]) };
          sweep(first.plan, request, files);
          const planned = await plan();
          if (!planned.ok || isNothing(planned.plan)) return planned;
          if (planned.plan.edits.some(({ path }) => !files.includes(path)))
            return fail('STORE_FAILED', 'settings of the hosts changed meanwhile; nothing was synced', 'Try again.');
          return applyPlan(planned.plan, {
            agentHome: environment.agentHome,
            boundary: request.boundary,
            isCopying: request.isCopying,
            guards: [manifestFile, ...files],
            check: held.check,
          });
        },
        patience,
      );
      return applied.ok && isUndoing ? removeTraces(request) : applied;
    },
    patience,
  );
}

const PATIENCE_MS = 60_000;

function firstFailure(outcomes: readonly Outcome[]): Outcome {
  return outcomes.find(({ ok }) => !ok) ?? { ok: true };
}

/** The settings files to lock: all that may be edited and whose folders exist. Taking a lock also removes a dead one. */
function listFiles(plan: WholePlan, { environment, scope }: SyncRequest): readonly string[] {
  const observed = observe(environment, scope);
  const own = [...plan.before.hosts, ...plan.hosts].flatMap((id) => {
    const { switchFile } = observed.host(id);
    return 'path' in switchFile ? [switchFile.path] : [];
  });
  const known = [...plan.before.files, ...plan.edits].map(({ path }) => path);
  return [...new Set([...own, ...known])].filter((path) => exists(dirname(path))).sort();
}

/**
 * Notes the hosts, and the folders that will be made, before anything is touched: an undo finds them even if this process is
 * killed.
 */
function noteFirst({ plan, isThere }: Planned, { boundary }: SyncRequest, check: () => Outcome): Outcome {
  const edited = plan.edits.map(({ path }) => dirname(path));
  const missing = [...plan.added.map(({ path }) => dirname(path)), ...edited].flatMap(listMissing);
  if (missing.length === 0 && isThere) return { ok: true };
  const { before, hosts } = plan;
  const noted = { ...before, hosts: [...before.hosts, ...hosts], folders: [...before.folders, ...missing] };
  const written = replaceFile(plan.manifestFile, renderSyncManifest(sortManifest(noted)), { check, isPrivate: true });
  // The locks of settings files lie beside them.
  const made = written.ok ? edited.map((dir) => makeFolderInside(dir, { boundary })) : [written];
  return made.find(({ ok }) => !ok) ?? { ok: true };
}

/** The folder and its parents, as far as they do not exist. */
function listMissing(path: string): readonly string[] {
  return exists(path) || dirname(path) === path ? [] : [...listMissing(dirname(path)), path];
}

/** Removes what killed processes left in the folders of the hosts. */
function sweep({ before, hosts }: WholePlan, request: SyncRequest, files: readonly string[]): void {
  const { environment, scope, manifestFile } = request;
  const observed = observe(environment, scope);
  const folders = [...before.hosts, ...hosts].map((id) => observed.host(id).folder);
  const own = before.entries.map(({ path }) => dirname(path));
  const { agentHome } = environment;
  const dirs = [...folders, ...own, ...files.map(dirname), dirname(manifestFile), pendingFolder(agentHome)];
  const real = new Set(dirs.map((dir) => realPath(dir) ?? dir));
  sweepLeftovers(real, () => hasPendingChanges(agentHome, manifestFile));
}

/** After an undo: the folders that were made, if they are empty, and the manifest. */
function removeTraces({ manifestFile }: SyncRequest): Outcome {
  const read = readSyncManifest(manifestFile);
  if (!read.ok) return read;
  const { entries, switches, folders }: SyncManifest = read.manifest;
  if (entries.length + switches.length > 0) return { ok: true };
  for (const folder of folders.toReversed()) removeEmptyFolder(folder);
  removeFile(manifestFile);
  removeEmptyFolder(join(dirname(manifestFile), REPLACED));
  return { ok: true };
}
