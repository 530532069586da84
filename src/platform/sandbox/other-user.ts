import { chmodSync, chownSync, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

import { once } from '../../model/once.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { copyTree, isForExecuting, walkTree } from '../files/copy-tree.ts';
import { isInside } from '../files/files.ts';
import { runPlan, type Job, type SandboxBackend } from './backend.ts';
import { findHelpers, isRoot, planLimits, promisesOf } from './limits.ts';
import { pickUser } from './picked-user.ts';
import { isInSystemView, type SandboxTools } from './system-view.ts';
import { tryCommand } from './try-command.ts';

/**
 * Root runs scripts under an unused user id, with limits: root's files are closed to them, and the kernel limits their
 * processes. `fallback` runs scripts whose files only root can reach. Root in a container often cannot change its user.
 */
export function openOtherUser(tools: SandboxTools, fallback: SandboxBackend): SandboxBackend {
  const helpers = once(() => findHelpers(tools, pickUser()));
  const works = once(async () => {
    const { sh } = tools;
    return isRoot() && sh !== undefined && (await tryCommand([sh, '-c', ':'], { user: pickUser() })) === undefined;
  });
  return {
    isolation: 'other-user',
    summary: 'as another user, with limits',
    async probe() {
      if (await works()) return { works: true, promises: promisesOf(await helpers()) };
      return {
        works: false,
        reason: 'only root can run scripts as another user',
        next: { ask: 'user', to: 'Run it as root.' },
      };
    },
    async plan(job) {
      const user = pickUser();
      // Another user could not write to a folder of root's.
      const canRun = job.workspace === undefined && isReachableByOthers(job);
      if (!canRun || !job.scratch.giveTo(user)) return fallback.plan(job);
      return { ok: true, plan: { ...planLimits(job, await helpers(), user), isolation: 'other-user' } };
    },
    run: runPlan,
    close: () => Promise.resolve(),
  };
}

/** How a job runs as another user, or as our own. */
export interface Access {
  /** Undefined: our own user. */
  readonly user: number | undefined;
  /** The skill, or a copy of it that this user can read. */
  readonly skillContent: string;
  /** Folders that must be opened to this user; undefined if there are none. */
  readonly doors: Doors | undefined;
  readonly notes: readonly string[];
}

export interface Doors {
  readonly user: number;
  /** Folders that the other user cannot enter. */
  readonly closed: readonly string[];
  /** The paths below them that it needs. */
  readonly needed: readonly string[];
}

/**
 * The kernel does not limit root's processes, so root starts scripts as another user, who must see enough. `canOpen` says whether
 * closed folders can be opened to that user.
 */
export async function openToOtherUser(
  job: Job,
  { startsAsOther, canOpen }: Record<'startsAsOther' | 'canOpen', () => Promise<boolean>>,
): Promise<Outcome<Access>> {
  const ourselves = { ok: true, user: undefined, skillContent: job.skillContent, doors: undefined, notes: [] } as const;
  if (!isRoot()) return ourselves;
  const { scratch } = job;
  const isCopied = !isOpenToOthers(job.skillContent);
  const skillContent = isCopied ? scratch.skillDir : job.skillContent;
  const closed = findClosedPaths({ ...job, skillContent });
  // Another user could not write to a folder of root's.
  const isReachable = (closed.size === 0 || (await canOpen())) && job.workspace === undefined;
  const user = pickUser();
  if (!(await startsAsOther()) || !isReachable || !scratch.giveTo(user))
    return { ...ourselves, notes: ['the number of its processes is not limited'] };
  const copied = isCopied ? copyForUser(job.skillContent, skillContent, user) : ({ ok: true } as const);
  if (!copied.ok) return copied;
  const doors = { user, closed: [...new Set(closed.values())], needed: [...closed.keys()] };
  return { ok: true, user, skillContent, doors: closed.size === 0 ? undefined : doors, notes: [] };
}

/** The topmost folder above `path` that other users cannot enter; undefined if they can enter all. */
export function findClosedFolder(path: string): string | undefined {
  const parents: string[] = [];
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir)) parents.unshift(dir);
  return parents.find((dir) => !allows(statsOf(dir), 0o001));
}

/** Can other users read everything in a folder, and execute what its owner can? */
export function isOpenToOthers(root: string): boolean {
  for (const entry of walkTree(root)) {
    if (entry === undefined) return false;
    const { stats } = entry;
    if (!stats.isSymbolicLink() && !allows(stats, isForExecuting(stats) ? 0o005 : 0o004)) return false;
  }
  return true;
}

/** Can another user read everything that a job needs? */
function isReachableByOthers(job: Job): boolean {
  return findClosedPaths(job).size === 0 && isOpenToOthers(job.skillContent);
}

/** The paths that a job needs and that other users cannot reach, each with the folder that is closed to them. */
export function findClosedPaths(job: Job): ReadonlyMap<string, string> {
  const { skillContent, scratch, toolPaths } = job;
  const content = isInside(skillContent, scratch.root) ? [] : [skillContent];
  const more = toolPaths.filter((path) => !isInSystemView(path) && !isInside(path, scratch.root));
  const closed = new Map<string, string>();
  for (const path of [...content, scratch.root, ...more]) {
    const folder = findClosedFolder(path);
    if (folder !== undefined) closed.set(path, folder);
  }
  return closed;
}

/** Copies a folder so that only the given user can enter it, and can read everything in it. */
export function copyForUser(root: string, target: string, user: number): Outcome {
  const copied = copyTree(root, target);
  if (!copied.ok) return explainCopy(root, copied.message);
  const given = attempt(() => {
    chmodSync(target, 0o700);
    chownSync(target, user, user);
  });
  return given.ok ? { ok: true } : explainCopy(root, given.message);
}

function explainCopy(root: string, reason: string): Failure {
  const message = `${root} is closed to other users and cannot be copied: ${reason}`;
  return fail('SCRIPT_FAILED', message, {
    ask: 'user',
    to: `Make it readable with "chmod -R go+rX ${root}".`,
  });
}

function statsOf(path: string): Stats | undefined {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? stats.value : undefined;
}

function allows(stats: Stats | undefined, needed: number): boolean {
  return stats !== undefined && (stats.mode & needed) === needed;
}
