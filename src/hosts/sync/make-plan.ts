import { basename, dirname } from 'node:path';

import type { AgentId } from '../../model/agents.ts';
import { compareText } from '../../model/order.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import { sortManifest, type OwnSwitch, type SyncManifest } from './manifest.ts';
import { observe, type Observed } from './observed.ts';
import { planEntries } from './plan-entries.ts';
import { planFiles } from './plan-files.ts';
import { planSwitches } from './plan-switches.ts';
import type { ChangeLists, EntryPlan, SwitchPlan, SyncChange, SyncProblem, WholePlan } from './sync-plan.ts';
import type { SyncRequest } from './sync-request.ts';
import type { WantedSkill } from './wanted-skills.ts';

/** The skills that the hosts should see, and our entries on the disk. */
export interface PlanInput {
  readonly skills: readonly WantedSkill[];
  readonly manifest: SyncManifest;
  /** Take everything back: no host is kept in step any more. */
  readonly isUndoing?: boolean;
}

/** Compares what the hosts should see with what is on the disk, and changes nothing. */
export function makePlan(request: SyncRequest, input: PlanInput): WholePlan {
  const { scope, environment, hosts, names, isCopying } = request;
  const { skills, manifest, isUndoing = false } = input;
  const observed = observe(environment, scope);
  const isMeant = ({ skill }: { readonly skill: string }): boolean => names?.includes(skill) ?? true;
  const active = isUndoing ? [] : [...new Set([...manifest.hosts, ...hosts])];
  const all = active.map((id) => observed.host(id));
  const folders = listFolders(hosts, input, observed);
  const entries: EntryPlan = join(
    folders.map((path) => {
      const own = manifest.entries.filter((entry) => isMeant(entry) && dirname(entry.path) === path);
      const folder = { ...observed.folder(path), own };
      return planEntries(folder, { skills, all, isRelative: scope === 'project', isCopying, observed });
    }),
  );
  const leaving = new Set([...entries.removed, ...entries.added].map(({ path }) => path));
  const switches: SwitchPlan = join(
    hosts.map((id) => {
      const host = observed.host(id);
      const coming = entries.added.filter(({ path }) => host.roots.some((root) => root.path === dirname(path)));
      return planSwitches(
        {
          host,
          skills,
          own: manifest.switches.filter((own) => own.host === id && isMeant(own)),
          isLeaving: (path) => leaving.has(path),
          coming: new Map(coming.map(({ dir, path }) => [dir, basename(path)])),
        },
        observed,
      );
    }),
  );
  const isOfOthers = (own: OwnSwitch): boolean => !hosts.includes(own.host) || !isMeant(own);
  const kept = [...switches.kept, ...manifest.switches.filter(isOfOthers)];
  const files = planFiles({ ...switches, kept }, manifest.files, observed);
  const untouched = manifest.entries.filter((entry) => !folders.includes(dirname(entry.path)) || !isMeant(entry));
  return {
    scope,
    hosts,
    changes: listChanges({ ...files, entries }, { ...input, isCopying, observed }),
    problems: [...entries.problems, ...switches.problems, ...files.problems, ...listWithheld(skills, hosts)],
    files: files.edits.map(({ path, before = '', after = '' }) => ({
      path,
      diff: renderDiff(before, after, path.replace(/^\//, '')),
    })),
    edits: files.edits,
    before: manifest,
    added: entries.added,
    removed: entries.removed,
    after: sortManifest({
      ...manifest,
      hosts: active,
      entries: [...untouched, ...entries.kept],
      switches: files.switches,
      files: files.files,
    }),
  };
}

/** The folders to compare: those of the hosts, and with all hosts also those that none of them reads any more. */
function listFolders(
  hosts: readonly AgentId[],
  { manifest, isUndoing = false }: PlanInput,
  observed: Observed,
): readonly string[] {
  const folders = isUndoing ? [] : hosts.map((id) => observed.host(id).folder);
  const isWhole = manifest.hosts.every((id) => hosts.includes(id));
  const own = isWhole ? manifest.entries.map(({ path }) => dirname(path)) : [];
  return [...new Set([...folders, ...own])].sort();
}

function join<Added, Own>(plans: readonly ChangeLists<Added, Own>[]): ChangeLists<Added, Own> {
  return {
    added: plans.flatMap(({ added }) => added),
    removed: plans.flatMap(({ removed }) => removed),
    kept: plans.flatMap(({ kept }) => kept),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

function listWithheld(skills: readonly WantedSkill[], hosts: readonly AgentId[]): readonly SyncProblem[] {
  return skills.flatMap(({ name, withheldFrom, whyNot, next }) => {
    const affected = withheldFrom.filter((id) => hosts.includes(id));
    const because = affected.map((id) => whyNot.get(id)).find((each) => each !== undefined) ?? '';
    return affected.length === 0 ? [] : [{ kind: 'withheld', skill: name, hosts: affected, because, next }];
  });
}

function listChanges(
  { entries, added, removed }: Pick<SwitchPlan, 'added' | 'removed'> & { readonly entries: EntryPlan },
  {
    skills,
    manifest,
    isUndoing = false,
    isCopying,
    observed,
  }: PlanInput & { readonly isCopying: boolean; readonly observed: Observed },
): readonly SyncChange[] {
  const hostsAt = (path: string): readonly AgentId[] =>
    manifest.hosts.filter((id) => observed.host(id).folder === dirname(path));
  const whyNot = (name: string, path: string): string => {
    if (isUndoing) return 'the sync is undone';
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
    ...added.map(({ file: path, skill, host, because }): SyncChange => ({
      kind: 'switch-off',
      path,
      skill,
      hosts: [host],
      because,
    })),
    ...removed.map(({ file: path, skill, host }): SyncChange => ({
      kind: 'switch-on',
      path,
      skill,
      hosts: [host],
      because: isUndoing ? 'the sync is undone' : 'nothing keeps it from this host any more',
    })),
  ];
  return changes.sort((a, b) => compareText(a.path, b.path) || compareText(a.skill, b.skill));
}
