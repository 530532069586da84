import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { AgentId } from '../../model/agents.ts';
import type { Outcome } from '../../model/outcome.ts';
import { readEnvironment, type EnvironmentOptions } from '../../platform/environment.ts';
import { exists, realPath } from '../../platform/files/files.ts';
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

/** A sync that is planned and not yet made. */
export interface PreparedSync {
  readonly plan: SyncReport;
  /** Makes the changes, by the disk as it is then; the skills and who gets them stay as they were planned. */
  readonly apply: () => Promise<Outcome<{ readonly report: SyncReport }>>;
}

/** Plans a sync, and changes nothing. */
export async function prepareSync(options: SyncOptions = {}): Promise<Outcome<PreparedSync>> {
  const request = readSyncRequest(options);
  if (!request.ok) return request;
  const wanted = await readWanted(request);
  if (!wanted.ok) return wanted;
  const read = readSyncManifest(request.manifestFile);
  if (!read.ok) return read;
  const { skills } = wanted;
  const plan: Planner = (manifest) => makePlan(request, { skills, manifest });
  const preview = plan(read.manifest);
  return {
    ok: true,
    plan: toReport(preview, !read.isThere),
    async apply() {
      // A killed process may have been about to change the skills.
      if (hasPendingChanges(request.environment.agentHome)) return sync(options);
      const done = isNothing(preview)
        ? ({ ...read, plan: preview, isFirst: !read.isThere } as const)
        : await carryOut(request, plan);
      return done.ok ? { ok: true, report: reportOn(done, request, skills) } : done;
    },
  };
}

/** Says what `sync` would change, and changes nothing. */
export async function planSync(options: SyncOptions = {}): Promise<Outcome<{ readonly plan: SyncReport }>> {
  const prepared = await prepareSync(options);
  return prepared.ok ? { ok: true, plan: prepared.plan } : prepared;
}

/**
 * Brings the folders and switches of other agent programs in step with the catalog: after it, each sees exactly what is
 * enabled here for it, and the report says where that is not possible. Touches only what an earlier sync made.
 */
export async function sync(options: SyncOptions = {}): Promise<Outcome<{ readonly report: SyncReport }>> {
  const { agentHome } = readEnvironment(options);
  const finished = await finishPendingChanges(agentHome, { onWait: options.onWait });
  const prepared = finished.ok ? await prepareSync(options) : finished;
  return prepared.ok ? prepared.apply() : prepared;
}

/** Takes back everything that sync made, to the byte. What others changed since stays, and is reported. */
export async function undoSync(
  options: Omit<SyncOptions, 'hosts'> = {},
): Promise<Outcome<{ readonly report: SyncReport }>> {
  const request = readSyncRequest({ ...options, hosts: [] });
  if (!request.ok) return request;
  const { environment, manifestFile } = request;
  const finished = await finishPendingChanges(environment.agentHome, { onWait: request.onWait });
  const read = finished.ok ? readSyncManifest(manifestFile) : finished;
  if (!read.ok) return read;
  const plan: Planner = (manifest) =>
    makePlan({ ...request, hosts: manifest.hosts }, { skills: [], manifest, isUndoing: true });
  if (!read.isThere) return { ok: true, report: toReport(plan(read.manifest), true) };
  const done = await carryOut(request, plan, ({ entries, switches, folders }) => {
    if (entries.length + switches.length > 0) return;
    for (const folder of folders.toReversed()) removeEmptyFolder(folder);
    removeFile(manifestFile);
  });
  removeEmptyFolder(dirname(manifestFile));
  return done.ok ? { ok: true, report: toReport(done.plan, false) } : done;
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

interface Done {
  readonly plan: WholePlan;
  /** The manifest as it is now. */
  readonly manifest: SyncManifest;
  /** Was there no manifest before? */
  readonly isFirst: boolean;
}

function isNothing({ added, removed, edits, before, after }: WholePlan): boolean {
  return added.length + removed.length + edits.length === 0 && isDeepStrictEqual(before, after);
}

function toReport({ scope, hosts, changes, problems, files }: WholePlan, isFirst: boolean): SyncReport {
  return { scope, hosts, changes, problems, files, isFirst };
}

/** With what each host does not see after all: a link that was planned may have been refused. */
function reportOn(
  { plan, manifest, isFirst }: Done,
  { hosts, environment }: SyncRequest,
  skills: readonly WantedSkill[],
): SyncReport {
  const known = new Set(plan.problems.flatMap((problem) => problem.hosts.map((host) => `${host} ${problem.skill}`)));
  const copies = copiesIn(manifest);
  const unseen = listUnseen(hosts, { skills, copies, place: environment });
  const others = unseen.filter((problem) => !problem.hosts.some((host) => known.has(`${host} ${problem.skill}`)));
  const changes = plan.changes.map((change) =>
    change.kind === 'link' && copies.some(({ path }) => path === change.path)
      ? { ...change, kind: 'copy' as const }
      : change,
  );
  return { ...toReport(plan, isFirst), changes, problems: [...plan.problems, ...others] };
}

/**
 * Makes a plan under the locks of everything that it may change, and carries it out. The hosts are noted before their settings are
 * locked, and new folders before they are made: an undo finds everything even if this process is killed.
 */
async function carryOut(
  request: SyncRequest,
  plan: Planner,
  finish?: (manifest: SyncManifest) => void,
): Promise<Outcome<Done>> {
  const { manifestFile, onWait } = request;
  const patience = { patienceMs: PATIENCE_MS, onWait };
  return withLocks(
    [manifestFile],
    async (outer) => {
      const read = readSyncManifest(manifestFile);
      const noted = read.ok ? note(read, { hosts: request.hosts, folders: [] }, request, outer.check) : read;
      if (!read.ok) return read;
      if (!noted.ok) return noted;
      const settings = listSettings(noted.manifest, request);
      const done = await withLocks(
        settings,
        async (inner): Promise<Outcome<Done>> => {
          const check = (): Outcome => [outer.check(), inner.check()].find(({ ok }) => !ok) ?? { ok: true };
          sweep(noted.manifest, request, settings);
          const planned = plan(noted.manifest);
          const applied = isNothing(planned)
            ? noted
            : await applyNoted(planned, request, { guards: [manifestFile, ...settings], check });
          if (!applied.ok) return applied;
          return { ok: true, plan: planned, manifest: applied.manifest, isFirst: !read.isThere };
        },
        patience,
      );
      // The locks of settings lie in folders that may go.
      if (done.ok) finish?.(done.manifest);
      return done;
    },
    patience,
  );
}

async function applyNoted(
  plan: WholePlan,
  request: SyncRequest,
  held: { readonly guards: readonly string[]; readonly check: () => Outcome },
): Promise<Outcome<{ readonly manifest: SyncManifest }>> {
  const folders = [...plan.added, ...plan.edits].flatMap(({ path }) => listMissing(dirname(path)));
  const noted = note({ manifest: plan.before, isThere: true }, { hosts: [], folders }, request, held.check);
  if (!noted.ok) return noted;
  const after = { ...plan.after, folders: noted.manifest.folders };
  return applyPlan({ ...plan, after }, request, held);
}

const PATIENCE_MS = 60_000;

/** The settings files to lock: all that may be edited and whose folders exist. Taking a lock also removes a dead one. */
function listSettings(manifest: SyncManifest, { environment, scope, hosts }: SyncRequest): readonly string[] {
  const own = [...manifest.hosts, ...hosts].flatMap((id) => {
    const file = hostOf(id).switch.file(environment, scope);
    return 'path' in file ? [file.path] : [];
  });
  const paths = [...own, ...manifest.files.map(({ path }) => path)];
  return [...new Set(paths)].filter((path) => exists(dirname(path))).sort();
}

/** Adds hosts and folders to the manifest, if it has not all of them. */
function note(
  { manifest, isThere }: { readonly manifest: SyncManifest; readonly isThere: boolean },
  { hosts, folders }: Pick<SyncManifest, 'hosts' | 'folders'>,
  { manifestFile }: SyncRequest,
  check: () => Outcome,
): Outcome<{ readonly manifest: SyncManifest }> {
  const noted = sortManifest({
    ...manifest,
    hosts: [...manifest.hosts, ...hosts],
    folders: [...manifest.folders, ...folders],
  });
  if (isThere && isDeepStrictEqual(noted, manifest)) return { ok: true, manifest };
  const written = replaceFile(manifestFile, renderSyncManifest(noted), { check, isPrivate: true });
  return written.ok ? { ok: true, manifest: noted } : written;
}

/** The folder and its parents, as far as they do not exist. */
function listMissing(path: string): readonly string[] {
  return exists(path) || dirname(path) === path ? [] : [...listMissing(dirname(path)), path];
}

/** Removes what killed processes left in the folders of the hosts. */
function sweep({ hosts, entries }: SyncManifest, request: SyncRequest, settings: readonly string[]): void {
  const { environment, scope, manifestFile } = request;
  const { agentHome } = environment;
  const folders = [...hosts, ...request.hosts].map((id) => hostOf(id).shownIn(environment, scope));
  const own = [...entries.map(({ path }) => path), ...settings, manifestFile].map((path) => dirname(path));
  const real = [...folders, ...own, pendingFolder(agentHome)].map((dir) => realPath(dir) ?? dir);
  sweepLeftovers(new Set(real), () => hasPendingChanges(agentHome, manifestFile));
}
