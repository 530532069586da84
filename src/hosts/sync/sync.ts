import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { AgentId } from '../../model/agents.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { EnvironmentOptions } from '../../platform/environment.ts';
import { exists, realPath } from '../../platform/files/files.ts';
import { makeFolderInside } from '../../platform/files/folders.ts';
import { sweepLeftovers } from '../../platform/files/leftovers.ts';
import { withLocks } from '../../platform/files/lock.ts';
import { finishPendingChanges, hasPendingChanges, pendingFolder } from '../../platform/files/pending-changes.ts';
import { removeEmptyFolder, removeFile } from '../../platform/files/remove-tree.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { hostOf } from '../all-hosts.ts';
import { applyPlan } from './apply-plan.ts';
import { makePlan } from './make-plan.ts';
import { readSyncManifest, renderSyncManifest, sortManifest, type SyncManifest } from './manifest.ts';
import { listUnseen } from './report-views.ts';
import type { SyncPlan, WholePlan } from './sync-plan.ts';
import { readSyncRequest, type SyncOptions, type SyncRequest } from './sync-request.ts';
import { copiesIn } from './synced-copies.ts';
import { readWanted, type WantedSkill } from './wanted-skills.ts';

/** The changes that a sync made, and the problems that are left. */
export interface SyncReport extends SyncPlan {
  /** Was nothing of this scope synced before? */
  readonly isFirst: boolean;
}

/** Says what `sync` would change, and changes nothing. */
export async function planSync(options: SyncOptions = {}): Promise<Outcome<{ readonly plan: SyncReport }>> {
  const request = readSyncRequest(options);
  const wanted = request.ok ? await readWanted(request) : request;
  if (!request.ok) return request;
  if (!wanted.ok) return wanted;
  const read = readSyncManifest(request.manifestFile);
  return read.ok ? { ok: true, plan: toReport(planFor(request, wanted.skills)(read.manifest), !read.isThere) } : read;
}

/**
 * Brings the folders and switches of other agent programs in step with the catalog: after it, each sees exactly what is
 * enabled here for it, and the report says where that is not possible. Touches only what an earlier sync made.
 */
export async function sync(options: SyncOptions = {}): Promise<Outcome<{ readonly report: SyncReport }>> {
  const request = readSyncRequest(options);
  if (!request.ok) return request;
  const finished = await finishPendingChanges(request.environment.agentHome, { onWait: request.onWait });
  const wanted = finished.ok ? await readWanted(request) : finished;
  const done = wanted.ok ? await carryOut(request, planFor(request, wanted.skills)) : wanted;
  if (!wanted.ok) return wanted;
  if (!done.ok) return done;
  const { plan, manifest, isFirst } = done;
  const known = new Set(plan.problems.flatMap(({ skill, hosts }) => hosts.map((host) => `${host} ${skill}`)));
  // A link that was planned may have been refused.
  const copies = copiesIn(manifest);
  const unseen = listUnseen(request.hosts, { skills: wanted.skills, copies, place: request.environment });
  const others = unseen.filter(({ skill, hosts }) => !hosts.some((host) => known.has(`${host} ${skill}`)));
  const changes = plan.changes.map((change) =>
    change.kind === 'link' && copies.some(({ path }) => path === change.path)
      ? { ...change, kind: 'copy' as const }
      : change,
  );
  return { ok: true, report: { ...toReport(plan, isFirst), changes, problems: [...plan.problems, ...others] } };
}

/** Takes back everything that sync made, to the byte. What others changed since stays, and is reported. */
export async function undoSync(
  options: Omit<SyncOptions, 'hosts'> = {},
): Promise<Outcome<{ readonly report: SyncReport }>> {
  const request = readSyncRequest({ ...options, hosts: [] });
  if (!request.ok) return request;
  const { environment, scope, manifestFile } = request;
  const finished = await finishPendingChanges(environment.agentHome, { onWait: request.onWait });
  if (!finished.ok) return finished;
  const common = { scope, place: environment, skills: [], manifestFile, isCopying: false, isUndoing: true };
  const plan: Planner = (manifest) => makePlan({ ...common, hosts: manifest.hosts, manifest });
  const done = await carryOut(request, plan, { isUndoing: true });
  removeEmptyFolder(dirname(manifestFile));
  return done.ok ? { ok: true, report: toReport(done.plan, done.isFirst) } : done;
}

/** The hosts that are kept in step: those that were synced, and not undone. */
export function listSynced(options: Pick<SyncOptions, keyof EnvironmentOptions | 'project'> = {}): readonly AgentId[] {
  const request = readSyncRequest({ ...options, hosts: [] });
  const read = request.ok ? readSyncManifest(request.manifestFile) : request;
  return read.ok ? read.manifest.hosts : [];
}

/** The names of the skills that have an entry or a switch of ours. */
export function listGiven(options: Pick<SyncOptions, keyof EnvironmentOptions | 'project'> = {}): readonly string[] {
  const request = readSyncRequest({ ...options, hosts: [] });
  const read = request.ok ? readSyncManifest(request.manifestFile) : request;
  return read.ok ? [...read.manifest.entries, ...read.manifest.switches].map(({ skill }) => skill) : [];
}

/** Plans by the disk as it is now, and by a manifest of what is ours on it. */
type Planner = (manifest: SyncManifest) => WholePlan;

function planFor(request: SyncRequest, skills: readonly WantedSkill[]): Planner {
  const { environment: place, scope, hosts, names, isCopying, manifestFile } = request;
  return (manifest) => makePlan({ scope, place, hosts, skills, names, manifest, manifestFile, isCopying });
}

function isNothing({ added, removed, edits, before, after }: WholePlan): boolean {
  return added.length + removed.length + edits.length === 0 && isDeepStrictEqual(before, after);
}

function toReport({ scope, hosts, changes, problems, files }: WholePlan, isFirst: boolean): SyncReport {
  return { scope, hosts, changes, problems, files, isFirst };
}

interface Done {
  readonly plan: WholePlan;
  /** The manifest as it is now. */
  readonly manifest: SyncManifest;
  /** Was there no manifest before? */
  readonly isFirst: boolean;
}

/**
 * Carries out a plan that is made under the locks of everything that it changes. An earlier one, without locks, tells what these
 * are, and whether there is anything to do: if not, no file is touched.
 */
async function carryOut(
  request: SyncRequest,
  plan: Planner,
  { isUndoing = false }: { readonly isUndoing?: boolean } = {},
): Promise<Outcome<Done>> {
  const { manifestFile, environment, boundary, isCopying, onWait } = request;
  const read = readSyncManifest(manifestFile);
  if (!read.ok) return read;
  const [first, isFirst] = [plan(read.manifest), !read.isThere];
  if (isUndoing ? isFirst : isNothing(first)) return { ok: true, plan: first, manifest: read.manifest, isFirst };
  const patience = { patienceMs: PATIENCE_MS, onWait };
  return withLocks(
    [manifestFile],
    async (outer) => {
      const noted = noteFirst(first, request, outer.check);
      if (!noted.ok) return noted;
      const files = listFiles(first, request);
      const done = await withLocks(
        files,
        async (inner): Promise<Outcome<Done>> => {
          sweep(first, request, files);
          const held = readSyncManifest(manifestFile);
          if (!held.ok) return held;
          const { manifest } = held;
          const planned = plan(manifest);
          if (isNothing(planned)) return { ok: true, plan: first, manifest, isFirst };
          if (planned.edits.some(({ path }) => !files.includes(path)))
            return fail('STORE_FAILED', 'settings of the hosts changed meanwhile; nothing was synced', {
              retry: 'now',
            });
          const applied = await applyPlan(planned, {
            agentHome: environment.agentHome,
            boundary,
            isCopying,
            guards: [manifestFile, ...files],
            check: () => firstFailure([outer.check(), inner.check()]),
          });
          return applied.ok ? { ok: true, plan: planned, manifest: applied.manifest, isFirst } : applied;
        },
        patience,
      );
      if (done.ok && isUndoing) removeTraces(done.manifest, manifestFile);
      return done;
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
  const own = [...plan.before.hosts, ...plan.hosts].flatMap((id) => {
    const file = hostOf(id).switch.file(environment, scope);
    return 'path' in file ? [file.path] : [];
  });
  const known = [...plan.before.files, ...plan.edits].map(({ path }) => path);
  return [...new Set([...own, ...known])].filter((path) => exists(dirname(path))).sort();
}

/**
 * Notes the hosts, and the folders that will be made, before anything is touched: an undo finds them even if this process is
 * killed.
 */
function noteFirst(plan: WholePlan, { boundary, manifestFile }: SyncRequest, check: () => Outcome): Outcome {
  const edited = plan.edits.map(({ path }) => dirname(path));
  const missing = [...plan.added.map(({ path }) => dirname(path)), ...edited].flatMap(listMissing);
  const read = readSyncManifest(manifestFile);
  if (!read.ok || (missing.length === 0 && read.isThere)) return read;
  const { manifest } = read;
  const noted = {
    ...manifest,
    hosts: [...manifest.hosts, ...plan.hosts],
    folders: [...manifest.folders, ...missing],
  };
  const written = replaceFile(manifestFile, renderSyncManifest(sortManifest(noted)), { check, isPrivate: true });
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
  const folders = [...before.hosts, ...hosts].map((id) => hostOf(id).shownIn(environment, scope));
  const own = before.entries.map(({ path }) => dirname(path));
  const { agentHome } = environment;
  const dirs = [...folders, ...own, ...files.map(dirname), dirname(manifestFile), pendingFolder(agentHome)];
  const real = new Set(dirs.map((dir) => realPath(dir) ?? dir));
  sweepLeftovers(real, () => hasPendingChanges(agentHome, manifestFile));
}

/** After an undo: the folders that were made, if they are empty, and the manifest. */
function removeTraces({ entries, switches, folders }: SyncManifest, manifestFile: string): void {
  if (entries.length + switches.length > 0) return;
  for (const folder of folders.toReversed()) removeEmptyFolder(folder);
  removeFile(manifestFile);
}
