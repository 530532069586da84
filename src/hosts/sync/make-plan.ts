import { basename, dirname } from 'node:path';

import type { AgentId } from '../../model/agents.ts';
import { compareText } from '../../model/order.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import type { HostPlace, SyncScope } from '../host.ts';
import { sortManifest, type OwnSwitch, type SyncManifest } from './manifest.ts';
import { observe, type Observed } from './observed.ts';
import { planEntries, type EntryPlan } from './plan-entries.ts';
import { planFiles, type FilesPlan } from './plan-files.ts';
import { planSwitches, type SwitchPlan } from './plan-switches.ts';
import type { SyncChange, SyncProblem, WholePlan } from './sync-plan.ts';
import type { WantedSkill } from './wanted-skills.ts';

export interface PlanRequest {
  readonly scope: SyncScope;
  readonly place: HostPlace;
  /** The hosts to bring in step now. */
  readonly hosts: readonly AgentId[];
  readonly skills: readonly WantedSkill[];
  /** The only skills to touch, by name. Default: all. */
  readonly names?: readonly string[] | undefined;
  readonly manifest: SyncManifest;
  readonly manifestFile: string;
  readonly isCopying: boolean;
  /** Take everything back: whatever the skills are, no host is kept in step any more. */
  readonly isUndoing?: boolean;
}

/** Compares what the hosts should see with what is on the disk, and changes nothing. */
export function makePlan(request: PlanRequest): WholePlan {
  const { scope, place, hosts, manifest, manifestFile, isUndoing = false } = request;
  const observed = observe(place, scope);
  const isMeant = ({ skill }: { readonly skill: string }): boolean => request.names?.includes(skill) ?? true;
  const active = isUndoing ? [] : [...new Set([...manifest.hosts, ...hosts])];
  const all = active.map((id) => observed.host(id));
  const entries = listFolders(request, observed).map((path) =>
    planEntries(
      {
        ...request,
        folder: observed.folder(path),
        own: manifest.entries.filter((entry) => isMeant(entry) && dirname(entry.path) === path),
        hosts: all.filter(({ folder }) => folder === path),
        all,
        isRelative: scope === 'project',
      },
      observed,
    ),
  );
  const entryPlan = joinEntries(entries);
  const switchPlan = joinSwitches(hosts.map((id) => planHost(id, { request, entryPlan, observed, isMeant })));
  const isOfOthers = (own: OwnSwitch): boolean => !hosts.includes(own.host) || !isMeant(own);
  const filePlan = planFiles(
    { ...switchPlan, kept: [...switchPlan.kept, ...manifest.switches.filter(isOfOthers)] },
    manifest.files,
    observed,
  );
  const touched = new Set(listFolders(request, observed));
  const untouched = manifest.entries.filter((entry) => !touched.has(dirname(entry.path)) || !isMeant(entry));
  return {
    scope,
    hosts,
    changes: listChanges(entryPlan, filePlan, { ...request, observed }),
    problems: [...entryPlan.problems, ...switchPlan.problems, ...filePlan.problems, ...listWithheld(request)],
    files: filePlan.edits.map(({ path, before = '', after = '' }) => ({
      path,
      diff: renderDiff(before, after, path.replace(/^\//, '')),
    })),
    edits: filePlan.edits,
    manifestFile,
    before: manifest,
    added: entryPlan.added,
    removed: entryPlan.removed,
    after: sortManifest({
      ...manifest,
      hosts: active,
      entries: [...untouched, ...entryPlan.kept],
      switches: filePlan.switches,
      files: filePlan.files,
    }),
  };
}

function listFolders({ hosts, manifest, isUndoing = false }: PlanRequest, observed: Observed): readonly string[] {
  const folders = isUndoing ? [] : hosts.map((id) => observed.host(id).folder);
  // With all hosts, also those that none of them reads any more.
  const isWhole = manifest.hosts.every((id) => hosts.includes(id));
  const own = isWhole ? manifest.entries.map(({ path }) => dirname(path)) : [];
  return [...new Set([...folders, ...own])].sort();
}

interface HostContext {
  readonly request: PlanRequest;
  readonly entryPlan: EntryPlan;
  readonly observed: Observed;
  readonly isMeant: (own: OwnSwitch) => boolean;
}

function planHost(id: AgentId, { request, entryPlan, observed, isMeant }: HostContext): SwitchPlan {
  const host = observed.host(id);
  const folders = new Set(host.roots.map(({ path }) => path));
  const coming = entryPlan.added.filter(({ path }) => folders.has(dirname(path)));
  const leaving = new Set([...entryPlan.removed, ...entryPlan.added].map(({ path }) => path));
  return planSwitches(
    {
      host,
      skills: request.isUndoing === true ? [] : request.skills,
      own: request.manifest.switches.filter((own) => own.host === id && isMeant(own)),
      isLeaving: (path) => leaving.has(path),
      coming: new Map(coming.map(({ dir, path }) => [dir, basename(path)])),
    },
    observed,
  );
}

function listWithheld({ skills, hosts }: PlanRequest): readonly SyncProblem[] {
  return skills.flatMap(({ name, withheldFrom, whyNot, next }) => {
    const affected = withheldFrom.filter((id) => hosts.includes(id));
    const because = affected.map((id) => whyNot.get(id)).find((each) => each !== undefined) ?? '';
    return affected.length === 0 ? [] : [{ kind: 'withheld', skill: name, hosts: affected, because, next }];
  });
}

function joinEntries(plans: readonly EntryPlan[]): EntryPlan {
  return {
    added: plans.flatMap(({ added }) => added),
    removed: plans.flatMap(({ removed }) => removed),
    kept: plans.flatMap(({ kept }) => kept),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

function joinSwitches(plans: readonly SwitchPlan[]): SwitchPlan {
  return {
    added: plans.flatMap(({ added }) => added),
    removed: plans.flatMap(({ removed }) => removed),
    kept: plans.flatMap(({ kept }) => kept),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

interface ChangesRequest extends PlanRequest {
  readonly observed: Observed;
}

function listChanges(
  entries: EntryPlan,
  files: FilesPlan,
  { skills, manifest, isCopying, isUndoing, observed }: ChangesRequest,
): readonly SyncChange[] {
  const hostsAt = (path: string): readonly AgentId[] =>
    manifest.hosts.filter((id) => observed.host(id).folder === dirname(path));
  const whyNot = (name: string, path: string): string => {
    if (isUndoing === true) return 'the sync is undone';
    const skill = skills.find((each) => each.name === name);
    if (skill === undefined) return 'there is no such skill any more';
    const there = hostsAt(path);
    const because = there.map((id) => skill.whyNot.get(id)).find((each) => each !== undefined);
    return because === undefined || there.some((id) => skill.hosts.has(id)) ? 'no host needs it there' : because;
  };
  const changes: SyncChange[] = [
    ...entries.added.map(({ path, skill, hosts, dir, before }): SyncChange => ({
      kind: isCopying ? 'copy' : 'link',
      path,
      skill,
      hosts,
      target: dir,
      because: before === undefined ? 'it is enabled' : 'its folder moved or changed',
    })),
    ...entries.removed.map(({ path, skill }): SyncChange => ({
      kind: 'remove',
      path,
      skill,
      hosts: hostsAt(path),
      because: whyNot(skill, path),
    })),
    ...files.added.map(({ file: path, skill, host, because }): SyncChange => ({
      kind: 'switch-off',
      path,
      skill,
      hosts: [host],
      because,
    })),
    ...files.removed.map(({ file: path, skill, host }): SyncChange => ({
      kind: 'switch-on',
      path,
      skill,
      hosts: [host],
      because: isUndoing === true ? 'the sync is undone' : 'nothing keeps it from this host any more',
    })),
  ];
  return changes.sort((a, b) => compareText(a.path, b.path) || compareText(a.skill, b.skill));
}
