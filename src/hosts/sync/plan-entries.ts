import { basename, join, relative } from 'node:path';

import type { OwnEntry } from './manifest.ts';
import { isInsideUpTo, type Observed, type ObservedFolder, type ObservedHost } from './observed.ts';
import type { EntryPlan, PlannedEntry, SyncProblem } from './sync-plan.ts';
import type { WantedSkill } from './wanted-skills.ts';

/** A folder of hosts, with our entries in it. */
export interface OwnFolder extends ObservedFolder {
  readonly own: readonly OwnEntry[];
}

export interface EntryOptions {
  readonly skills: readonly WantedSkill[];
  /** All hosts that are kept in step. */
  readonly all: readonly ObservedHost[];
  /** Links within a project are relative. */
  readonly isRelative: boolean;
  /** Make copies, not links. */
  readonly isCopying: boolean;
  readonly observed: Pick<Observed, 'digest'>;
}

/** Compares what a folder should show with what is there. Entries of others stay. */
export function planEntries(folder: OwnFolder, options: EntryOptions): EntryPlan {
  const decided = options.skills.flatMap((skill) => {
    const hosts = listSeekers(skill, folder, options);
    return hosts.length === 0 ? [] : [decide(skill, hosts, { ...options, folder })];
  });
  const kept = decided.flatMap(({ keep }) => keep ?? []);
  const added = decided.flatMap(({ add }) => add ?? []);
  const left = folder.own.filter(({ path }) => ![...kept, ...added].some((entry) => entry.path === path));
  const removed = left.filter((entry) => isIntact(entry, folder, options.observed));
  return { kept, added, removed, problems: decided.flatMap(({ problem }) => problem ?? []) };
}

/** The hosts that need an entry there to see the skill. */
function listSeekers(
  skill: WantedSkill,
  folder: OwnFolder,
  { all }: Pick<EntryOptions, 'all'>,
): readonly ObservedHost[] {
  if (!skill.isPlaced) return [];
  const wishing = all.filter(({ id }) => skill.hosts.has(id));
  // Another host gets an entry in a folder that this one reads, too.
  const isShownElsewhere = ({ roots, countsLinks }: ObservedHost): boolean =>
    countsLinks &&
    wishing.some((other) => other.folder !== folder.path && roots.some(({ path }) => path === other.folder));
  const findsIt = ({ roots, depth }: ObservedHost): boolean =>
    roots.some(
      ({ path, real }) =>
        path !== folder.path && real !== undefined && real !== folder.real && isInsideUpTo(skill.dir, real, depth),
    );
  return wishing.filter((host) => host.folder === folder.path && !isShownElsewhere(host) && !findsIt(host));
}

interface Decision {
  readonly keep?: OwnEntry;
  readonly add?: PlannedEntry;
  readonly problem?: SyncProblem;
}

interface Deciding extends EntryOptions {
  readonly folder: OwnFolder;
}

function decide(skill: WantedSkill, hosts: readonly ObservedHost[], context: Deciding): Decision {
  const { folder, isRelative, observed } = context;
  const { own } = folder;
  const path = join(folder.path, skill.entry);
  const target = isRelative ? relative(folder.real ?? folder.path, skill.dir) : skill.dir;
  const planned = { path, skill: skill.name, hosts: hosts.map(({ id }) => id), dir: skill.dir, target };
  const before = own.find((entry) => entry.path === path);
  const found = folder.entries.get(skill.entry);
  if (before !== undefined && isIntact(before, folder, observed))
    return isCurrent(before, planned, context) ? { keep: before } : { add: { ...planned, before } };
  const isShown = [...folder.entries].some(
    ([name, entry]) => entry.dir === skill.dir && !own.some((each) => each.path === join(folder.path, name)),
  );
  if (isShown || isSameCopy(found?.dir, skill, context)) return {};
  const titles = hosts.map(({ title }) => title).join(', ');
  const problem = (because: string, kind: 'taken' | 'broken' = 'taken'): Decision => ({
    problem: {
      kind,
      skill: skill.name,
      hosts: planned.hosts,
      path,
      because,
      ...(kind === 'broken' ? { next: { moveAway: path } } : {}),
    },
  });
  if (hosts.some(({ reserved }) => reserved.includes(skill.entry)))
    return problem(`${titles} keeps that name for itself`);
  if (found === undefined) return { add: planned };
  if (found.dir === undefined)
    return problem(`${found.kind === 'link' ? 'a broken link' : 'a file'} is there instead of the skill`, 'broken');
  return problem(`something else is there, which sync did not make, and ${titles} sees that`);
}

/** A copy that a colleague has committed, with the same files. */
function isSameCopy(dir: string | undefined, skill: WantedSkill, { isRelative, observed }: Deciding): boolean {
  return isRelative && dir !== undefined && observed.digest(dir) === observed.digest(skill.dir);
}

/** Is our entry still as we made it? Anything else belongs to others now. */
function isIntact({ path, content }: OwnEntry, folder: ObservedFolder, { digest }: Pick<Observed, 'digest'>): boolean {
  const found = folder.entries.get(basename(path));
  if (content.kind === 'link') return found?.kind === 'link' && found.target === content.target;
  return found?.kind === 'directory' && found.dir !== undefined && digest(found.dir) === content.digest;
}

/** Does it still show the skill as it is? */
function isCurrent(
  { content }: OwnEntry,
  { dir, target }: Pick<PlannedEntry, 'dir' | 'target'>,
  { observed, isCopying }: Deciding,
): boolean {
  if (content.kind === 'link') return content.target === target && !isCopying;
  return content.from === dir && content.digest === observed.digest(dir);
}
