import { basename, join, relative } from 'node:path';

import type { OwnEntry } from './manifest.ts';
import { isInsideUpTo, type Observed, type ObservedFolder, type ObservedHost } from './observed.ts';
import type { PlannedEntry, SyncProblem } from './sync-plan.ts';
import type { WantedSkill } from './wanted-skills.ts';

/** The entries that the folder of some hosts gets and loses. */
export interface EntryPlan {
  readonly added: readonly PlannedEntry[];
  readonly removed: readonly OwnEntry[];
  /** Ours, and as they should be. */
  readonly kept: readonly OwnEntry[];
  readonly problems: readonly SyncProblem[];
}

export interface EntryRequest {
  readonly folder: ObservedFolder;
  /** The hosts whose entries go there, and that are kept in step. */
  readonly hosts: readonly ObservedHost[];
  /** All hosts that are kept in step. */
  readonly all: readonly ObservedHost[];
  readonly skills: readonly WantedSkill[];
  /** Our entries in this folder. */
  readonly own: readonly OwnEntry[];
  /** Links within a project are relative. */
  readonly isRelative: boolean;
  /** Make copies, not links. */
  readonly isCopying: boolean;
}

/** Compares what a folder should show with what is there. Entries of others stay. */
export function planEntries(request: EntryRequest, observed: Pick<Observed, 'digest'>): EntryPlan {
  const { folder, skills, own } = request;
  const intact = new Set(own.filter((entry) => isIntact(entry, folder, observed)));
  const wanted = skills.flatMap((skill) => {
    const hosts = listSeekers(skill, request);
    return hosts.length === 0 ? [] : [{ skill, hosts }];
  });
  const decided = wanted.map(({ skill, hosts }) => decide(skill, hosts, { ...request, intact, observed }));
  const kept = decided.flatMap(({ keep }) => keep ?? []);
  const added = decided.flatMap(({ add }) => add ?? []);
  const isReplaced = (entry: OwnEntry): boolean => added.some(({ path }) => path === entry.path);
  return {
    kept,
    added,
    removed: own.filter((entry) => intact.has(entry) && !kept.includes(entry) && !isReplaced(entry)),
    problems: decided.flatMap(({ problem }) => problem ?? []),
  };
}

/** The hosts that need an entry there to see the skill. */
function listSeekers(skill: WantedSkill, { folder, hosts, all }: EntryRequest): readonly ObservedHost[] {
  if (!skill.isPlaced) return [];
  // Another host gets an entry in a folder that this one reads, too.
  const isShownElsewhere = ({ roots, countsLinks }: ObservedHost): boolean =>
    countsLinks &&
    all.some(
      (other) =>
        other.folder !== folder.path && skill.hosts.has(other.id) && roots.some(({ path }) => path === other.folder),
    );
  return hosts.filter(
    (host) =>
      skill.hosts.has(host.id) &&
      !isShownElsewhere(host) &&
      !host.roots.some(
        ({ path, real }) =>
          path !== folder.path &&
          real !== undefined &&
          real !== folder.real &&
          isInsideUpTo(skill.dir, real, host.depth),
      ),
  );
}

interface Decision {
  readonly keep?: OwnEntry;
  readonly add?: PlannedEntry;
  readonly problem?: SyncProblem;
}

interface Deciding extends EntryRequest {
  readonly intact: ReadonlySet<OwnEntry>;
  readonly observed: Pick<Observed, 'digest'>;
}

function decide(skill: WantedSkill, hosts: readonly ObservedHost[], context: Deciding): Decision {
  const { folder, own, intact, isRelative } = context;
  const path = join(folder.path, skill.entry);
  const target = isRelative ? relative(folder.real ?? folder.path, skill.dir) : skill.dir;
  const planned = { path, skill: skill.name, hosts: hosts.map(({ id }) => id), dir: skill.dir, target };
  const before = own.find((entry) => entry.path === path);
  const found = folder.entries.get(skill.entry);
  if (before !== undefined && intact.has(before))
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
