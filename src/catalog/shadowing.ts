import type { Diagnostic } from '../model/diagnostic.ts';
import { findNameFaults, foldName } from '../parse/name-rules.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';

/** The skill that holds a name, and the copies that lost it. */
export interface Holder {
  readonly winner: FoundSkill;
  readonly losers: readonly FoundSkill[];
}

/**
 * Assigns every name to one skill. `found` is in order of precedence: the first wins, the others become its shadows.
 * Names that differ only in case or Unicode form are the same name. One directory found twice is one skill. A skill
 * cannot take the name of a neighbouring skill's directory. A broken skill has the name of its directory only while no
 * working skill of any source has that name.
 */
export function resolveShadowing(found: readonly FoundSkill[]): readonly Holder[] {
  const distinct = dropTwins(sortWorkingFirst(found));
  const claims = findClaims(distinct);
  const holders = new Map<string, { winner: FoundSkill; losers: readonly FoundSkill[] }>();
  const lose = (key: string, loser: FoundSkill): void => {
    const holder = holders.get(key);
    if (holder !== undefined) holder.losers = [...holder.losers, loser];
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
  return [...holders.values()];
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
  if (isEachRootOnce && found.every(({ skill, realDir }) => skill.dir === realDir)) return found;
  const places = new Set<string>();
  return found.filter(({ realDir }) => places.size !== places.add(realDir).size);
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

export function describeShadow(loser: FoundSkill, winner: FoundSkill): Diagnostic {
  if (isBroken(loser.skill) && !isBroken(winner.skill)) return describeStandIn(loser, winner);
  const isIntended = loser.root.priority < winner.root.priority && loser.skill.name === winner.skill.name;
  const spelled = loser.skill.name === winner.skill.name ? '' : ` as "${winner.skill.name}"`;
  return {
    code: 'SHADOWED',
    severity: isIntended ? 'info' : 'warning',
    path: loser.skill.file,
    field: 'name',
    message: `"${loser.skill.name}" in ${loser.skill.file} is shadowed by ${winner.skill.file}${spelled}`,
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
