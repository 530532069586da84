import { dirname } from 'node:path';

import { isSourceNamed } from '../config/source-names.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { findNameFaults, foldName } from '../parse/name-rules.ts';
import { realPath } from '../platform/files/files.ts';
import { realDirOf, type FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';

/** The skill that holds a name, and the copies that lost it. */
export interface Holder {
  readonly winner: FoundSkill;
  readonly losers: readonly FoundSkill[];
  /** Whose preference gave it the name; absent if precedence did. */
  readonly preferredBy?: 'user' | 'project';
}

/** The settings `preferred`: the user's, and the project's. */
export type Preferences = Pick<SkillsConfig, 'preferred' | 'projectPreferred'>;

/**
 * Assigns every name to one skill. `found` is in order of precedence: the first wins, the others become its shadows.
 * Names that differ only in case or Unicode form are the same name. One directory found twice is one skill, of the
 * source where it lies if the other is a link in the folder of another agent. A skill
 * cannot take the name of a neighbouring skill's directory. A broken skill has the name of its directory only while no
 * working skill of any source has that name. A preference for a source puts its copy first; a project's counts only
 * while a copy of the project has the name, and only for another copy of the project. The result is by folded
 * name.
 */
export function resolveShadowing(
  found: readonly FoundSkill[],
  preferences: Preferences = { preferred: {} },
): ReadonlyMap<string, Holder> {
  const distinct = dropTwins(sortWorkingFirst(found));
  const claims = findClaims(distinct);
  const holders = new Map<string, Holder>();
  const lose = (key: string, loser: FoundSkill): void => {
    const holder = holders.get(key);
    if (holder !== undefined) holders.set(key, { ...holder, losers: [...holder.losers, loser] });
  };
  for (const skill of distinct) {
    if (claims.has(skill)) continue;
    const key = foldName(skill.skill.name);
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, { winner: skill, losers: NONE });
    else if (isBetterSpelled(skill, holder.winner)) {
      const { winner, losers } = holder;
      holders.set(key, { winner: skill, losers: [winner, ...losers] });
    } else lose(key, skill);
  }
  for (const [claimant, owner] of claims) lose(foldName(owner.skill.name), claimant);
  for (const [name, source] of Object.entries(preferences.projectPreferred ?? {}))
    applyPreference(holders, foldName(name), { source, by: 'project' });
  for (const [name, source] of Object.entries(preferences.preferred))
    applyPreference(holders, foldName(name), { source, by: 'user' });
  return holders;
}

function applyPreference(
  holders: Map<string, Holder>,
  key: string,
  { source, by }: { readonly source: string; readonly by: 'user' | 'project' },
): void {
  const holder = holders.get(key);
  if (holder === undefined) return;
  const { winner, losers } = holder;
  const copies = [winner, ...losers];
  const chosen = copies.find(({ root, skill }) => isSourceNamed(root.id, [source]) && !isBroken(skill));
  const isAllowed = by === 'user' || (winner.root.level === 'project' && chosen?.root.level === 'project');
  if (chosen === undefined || !isAllowed) return;
  if (copies.length > 1)
    holders.set(key, { winner: chosen, losers: copies.filter((copy) => copy !== chosen), preferredBy: by });
}

const NONE: readonly FoundSkill[] = [];

/** `Demo` is no valid name: however high its source ranks, it does not take the place of `demo`. */
function isBetterSpelled({ skill }: FoundSkill, { skill: winner }: FoundSkill): boolean {
  if (skill.name === winner.name || isBroken(skill)) return false;
  return findNameFaults(winner.name).length > 0 && findNameFaults(skill.name).length === 0;
}

function sortWorkingFirst(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const broken = found.filter(({ skill }) => isBroken(skill));
  return broken.length === 0 ? found : [...found.filter(({ skill }) => !isBroken(skill)), ...broken];
}

function dropTwins(found: readonly FoundSkill[]): readonly FoundSkill[] {
  // Without links, one directory appears twice only if its root does.
  const roots = new Set(found.map(({ root }) => root));
  const isEachRootOnce = new Set([...roots].map(({ path }) => path)).size === roots.size;
  if (isEachRootOnce && found.every((one) => one.realDir === undefined)) return found;
  const places = Map.groupBy(found, realDirOf);
  return found.filter((one) => one === chooseTwin(places.get(realDirOf(one)) ?? [one]));
}

/** The first, but a link in the folder of another agent does not take a skill away from the source where it lies. */
function chooseTwin(twins: readonly FoundSkill[]): FoundSkill | undefined {
  const [first] = twins;
  if (first === undefined || twins.length === 1 || OWN_SOURCES.test(first.root.id) || isAtHome(first)) return first;
  return twins.find((twin) => isAtHome(twin)) ?? first;
}

const OWN_SOURCES = /^(?:plugin|project|user|agent-written)$/;

function isAtHome(found: FoundSkill): boolean {
  return dirname(realDirOf(found)) === realPath(found.root.path);
}

/** Skills that use the name of a neighbour's directory, each with that neighbour. */
function findClaims(found: readonly FoundSkill[]): ReadonlyMap<FoundSkill, FoundSkill> {
  const suspects = found.filter(({ skill }) => skill.name !== skill.id && foldName(skill.name) !== foldName(skill.id));
  if (suspects.length === 0) return new Map();
  const claimed = new Set(suspects.map(({ skill }) => foldName(skill.name)));
  const owners = found.filter(({ skill }) => !isBroken(skill) && claimed.has(foldName(skill.id)));
  const neighbours = new Map(owners.map((owner) => [neighbourKey(owner.root.path, owner.skill.id), owner]));
  const claims = new Map(
    suspects.flatMap((claimant) => {
      const owner = neighbours.get(neighbourKey(claimant.root.path, claimant.skill.name));
      return owner === undefined ? [] : [[claimant, owner] as const];
    }),
  );
  // Two skills that use each other's directory name have swapped names; both keep theirs.
  return new Map([...claims].filter(([, owner]) => !claims.has(owner)));
}

/**
 * A warning if the texts or names of the copies differ, because one may be taken for the other. Not if the user chose the
 * winner, by a preference or by a copy of a bundled skill in their own folder.
 */
export function describeShadow(loser: FoundSkill, { winner, preferredBy }: Omit<Holder, 'losers'>): Diagnostic {
  if (isBroken(loser.skill) && !isBroken(winner.skill)) return describeStandIn(loser, winner);
  const isSameName = loser.skill.name === winner.skill.name;
  const isSameText = loser.skill.textDigest === winner.skill.textDigest;
  const isChosen = preferredBy === 'user' || (loser.root.id === 'bundled' && winner.root.id === 'user');
  const spelled = isSameName ? '' : ` as "${winner.skill.name}"`;
  const differs = isSameText ? '' : ', which has another text';
  return {
    code: 'SHADOWED',
    severity: isSameName && (isSameText || isChosen) ? 'info' : 'warning',
    path: loser.skill.file,
    field: 'name',
    message: `"${loser.skill.name}" in ${loser.skill.file} is shadowed by ${winner.skill.file}${spelled}${differs}`,
  };
}

/** A warning, because the instructions of the other copy may differ. */
function describeStandIn({ skill: { name, file } }: FoundSkill, { skill }: FoundSkill): Diagnostic {
  const message = `"${name}" in ${file} is broken, so ${skill.file} is used instead`;
  return { code: 'SHADOWED', severity: 'warning', path: file, field: 'name', message };
}

function neighbourKey(root: string, name: string): string {
  return `${root}\0${foldName(name)}`;
}
