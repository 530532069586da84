import { basename, dirname, join, relative } from 'node:path';

import type { OwnEntry, SyncManifest } from './manifest.ts';
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
  readonly skills: readonly WantedSkill[];
  readonly manifest: SyncManifest;
  /** Links within a project are relative. */
  readonly isRelative: boolean;
  /** Make copies, not links. */
  readonly isCopying: boolean;
}

/** Compares what a folder should show with what is there. Entries of others stay. */
export function planEntries(request: EntryRequest, observed: Pick<Observed, 'digest'>): EntryPlan {
  const { folder, skills, manifest } = request;
  const own = manifest.entries.filter(({ path }) => dirname(path) === folder.path);
  const intact = new Set(own.filter((entry) => isIntact(entry, folder, observed)));
  const wanted = skills.flatMap((skill) => {
    const hosts = listSeekers(skill, request);
    return hosts.length === 0 ? [] : [{ skill, hosts }];
  });
  const decided = wanted.map(({ skill, hosts }) => decide(skill, hosts, { ...request, own, intact, observed }));
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
function listSeekers(skill: WantedSkill, { folder, hosts }: EntryRequest): readonly ObservedHost[] {
  if (!skill.isPlaced) return [];
  return hosts.filter(
    ({ id, roots, depth }) =>
      skill.hosts.has(id) &&
      !roots.some(
        ({ path, real }) =>
          path !== folder.path && real !== undefined && real !== folder.real && isInsideUpTo(skill.dir, real, depth),
      ),
  );
}

interface Decision {
  readonly keep?: OwnEntry;
  readonly add?: PlannedEntry;
  readonly problem?: SyncProblem;
}

interface Deciding extends EntryRequest {
  readonly own: readonly OwnEntry[];
  readonly intact: ReadonlySet<OwnEntry>;
  readonly observed: Pick<Observed, 'digest'>;
}

function decide(skill: WantedSkill, hosts: readonly ObservedHost[], context: Deciding): Decision {
  const { folder, manifest, own, intact, observed, isRelative } = context;
  const path = join(folder.path, skill.entry);
  const target = isRelative ? relative(folder.real ?? folder.path, skill.dir) : skill.dir;
  const planned = { path, skill: skill.name, hosts: hosts.map(({ id }) => id), dir: skill.dir, target };
  const before = own.find((entry) => entry.path === path);
  const found = folder.entries.get(skill.entry);
  if (before !== undefined && intact.has(before))
    return isCurrent(before, planned, context) ? { keep: before } : { add: { ...planned, replaces: 'ours', before } };
  const isShown = [...folder.entries].some(
    ([name, entry]) => entry.dir === skill.dir && !own.some((each) => each.path === join(folder.path, name)),
  );
  if (isShown) return {};
  const titles = hosts.map(({ title }) => title).join(', ');
  const problem = (because: string): Decision => ({
    problem: { kind: 'taken', skill: skill.name, hosts: planned.hosts, path, because },
  });
  if (hosts.some(({ reserved }) => reserved.includes(skill.entry)))
    return problem(`${titles} keeps that name for itself`);
  if (found === undefined) return { add: { ...planned, replaces: 'nothing' } };
  const isSame = found.dir !== undefined && observed.digest(found.dir) === observed.digest(skill.dir);
  if (manifest.given.includes(path) && isSame) return { add: { ...planned, replaces: 'given' } };
  return problem(`something else is there, which sync did not make, and ${titles} sees that`);
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
