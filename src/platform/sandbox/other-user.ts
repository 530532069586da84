import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { MAX_FOLDER_DEPTH, MAX_SKILL_FILES } from '../../model/limits.ts';
import { once } from '../../model/once.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { isInside, listDirectory } from '../files/files.ts';
import { readInside } from '../files/inside.ts';
import { runPlan, type Job, type SandboxBackend } from './backend.ts';
import { findHelpers, isRoot, planLimits, promisesOf } from './limits.ts';
import { pickUser } from './picked-user.ts';
import { isInSystemView, type SandboxTools } from './system-view.ts';
import { tryCommand } from './try-command.ts';

/**
 * Root runs scripts as a user id that nobody has, with limits: root's files are closed to them, and the kernel limits their
 * processes. `fallback` runs those whose files only root can reach. Root of a container often cannot change its user.
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
      return { works: false, reason: 'only root can run scripts as another user', remedy: 'Run it as root.' };
    },
    async plan(job) {
      const user = pickUser();
      if (!isReachableByOthers(job) || !job.scratch.giveTo(user)) return fallback.plan(job);
      return { ok: true, plan: { ...planLimits(job, await helpers(), user), isolation: 'other-user' } };
    },
    run: runPlan,
    close: () => Promise.resolve(),
  };
}

/** The topmost folder above `path` that other users cannot enter; undefined if they can enter all. */
export function findClosedFolder(path: string): string | undefined {
  const parents: string[] = [];
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir)) parents.unshift(dir);
  return parents.find((dir) => !allows(statsOf(dir), 0o001));
}

/** Can other users read everything in a folder, and execute what its owner can? */
export function isOpenToOthers(root: string): boolean {
  for (const { stats } of walk(root)) {
    if (!stats.isSymbolicLink() && !allows(stats, isForExecuting(stats) ? 0o005 : 0o004)) return false;
  }
  return true;
}

/** Can another user read everything that a job needs? */
function isReachableByOthers(job: Job): boolean {
  return findClosedPaths(job).size === 0 && isOpenToOthers(job.skillContent) && areInputsOpen(job);
}

export function areInputsOpen({ inputs }: Pick<Job, 'inputs'>): boolean {
  return inputs.every(({ realPath }) => isOpenToOthers(realPath));
}

/** The paths that a job needs and that other users cannot reach, each with the folder that is closed to them. */
export function findClosedPaths(job: Job): ReadonlyMap<string, string> {
  const { skillContent, scratch, toolPaths, inputs } = job;
  const content = isInside(skillContent, scratch.root) ? [] : [skillContent];
  const more = [...toolPaths, ...inputs.map(({ realPath }) => realPath)].filter((path) => !isInSystemView(path));
  const closed = new Map<string, string>();
  for (const path of [...content, scratch.root, ...more]) {
    const folder = findClosedFolder(path);
    if (folder !== undefined) closed.set(path, folder);
  }
  return closed;
}

export const MAX_COPY_BYTES: number = 256 * 1024 * 1024;

/**
 * Copies a folder so that only the given user can enter it, and can read everything in it. Links stay links; anything but
 * files, folders and links is skipped.
 */
export function copyForUser(root: string, target: string, user: number): Outcome {
  let bytes = 0;
  for (const entry of walk(root)) {
    bytes += entry.stats.size;
    const copied = bytes > MAX_COPY_BYTES ? fail('PATH_REFUSED', 'it is too large') : copyEntry(root, target, entry);
    if (!copied.ok) return explainCopy(root, copied.message);
  }
  const given = attempt(() => chownSync(target, user, user));
  return given.ok ? { ok: true } : explainCopy(root, given.message);
}

function explainCopy(root: string, reason: string): Failure {
  const message = `${root} is closed to other users and cannot be copied: ${reason}`;
  return fail('SCRIPT_FAILED', message, `Make it readable with "chmod -R go+rX ${root}".`);
}

function copyEntry(root: string, target: string, { path, stats }: Entry): Outcome {
  const to = join(target, path);
  const content = stats.isFile() ? readInside(root, path, { maxBytes: MAX_COPY_BYTES }) : undefined;
  if (content?.ok === false) return content;
  const made = attempt(() => {
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(join(root, path)), to);
    if (stats.isDirectory()) mkdirSync(to);
    if (content !== undefined) writeFileSync(to, content.bytes);
    // The process's umask cuts the mode of new files.
    if (stats.isDirectory() || content !== undefined) chmodSync(to, path === '' ? 0o700 : openMode(stats));
  });
  return made.ok ? { ok: true } : fail('STORE_FAILED', made.message);
}

function openMode(stats: Stats): number {
  return isForExecuting(stats) ? 0o755 : 0o644;
}

/** True for folders too, where the bit means entering. */
function isForExecuting(stats: Stats): boolean {
  return stats.isDirectory() || (stats.mode & 0o100) !== 0;
}

interface Entry {
  /** From the root; empty for the root itself. */
  readonly path: string;
  readonly stats: Stats;
}

/** A folder and everything below it, parents first, within the limits of a skill. */
function* walk(root: string): Generator<Entry> {
  const pending = [''];
  for (let path = pending.shift(), seen = 0; path !== undefined && seen < MAX_SKILL_FILES; path = pending.shift()) {
    seen += 1;
    const stats = statsOf(join(root, path));
    if (stats === undefined) continue;
    yield { path, stats };
    const isDeep = path.split('/').length > MAX_FOLDER_DEPTH;
    const listing = stats.isDirectory() && !isDeep ? listDirectory(join(root, path)) : undefined;
    for (const { name } of listing?.state === 'listed' ? listing.entries : [])
      pending.push(path === '' ? name : `${path}/${name}`);
  }
}

function statsOf(path: string): Stats | undefined {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? stats.value : undefined;
}

function allows(stats: Stats | undefined, needed: number): boolean {
  return stats !== undefined && (stats.mode & needed) === needed;
}
