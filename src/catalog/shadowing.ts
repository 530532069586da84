import { dirname } from 'node:path';

import { isSourceNamed } from '../config/source-names.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { SourceRoot } from '../model/source.ts';
import { findNameFaults, foldName } from '../parse/name-rules.ts';
import { realPath } from '../platform/files/files.ts';
import { realDirOf, type FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';
import {
  countByRoot,
  findByName,
  mergeByName,
  splitOrdered,
  type PlacedSkill,
  type SplitSkills,
} from './ordered-skills.ts';

/** The skill that holds a name, and the copies that lost it. */
export interface Holder {
  readonly winner: FoundSkill;
  readonly losers: readonly FoundSkill[];
  /** Whose preference gave it the name; absent if precedence did. */
  readonly preferredBy?: 'user' | 'project';
}

/** Which skill holds which name. */
export interface Holders {
  /** One skill for each name, sorted by name. */
  readonly winners: readonly FoundSkill[];
  /** The names that several skills want, by the skill that holds each. Few are. */
  readonly contested: ReadonlyMap<FoundSkill, Holder>;
}

/** The settings `preferred`: the user's, and the project's. */
export type Preferences = Pick<SkillsConfig, 'preferred' | 'projectPreferred'>;

/**
 * Assigns every name to one skill. `found` is in order of precedence: the first wins, the others become its shadows.
 * Names that differ only in case or Unicode form are the same name. One directory found twice is one skill, of the
 * source where it lies if the other is a link in the folder of another agent. A skill
 * cannot take the name of a neighbouring skill's directory. A broken skill has the name of its directory only while no
 * working skill of any source has that name. A preference for a source puts its copy first; a project's counts only
 * while a copy of the project has the name, and only for another copy of the project.
 */
export function resolveShadowing(found: readonly FoundSkill[], preferences: Preferences = { preferred: {} }): Holders {
  const roots = countByRoot(found);
  const distinct = mayHoldTwins(found, roots.keys()) ? dropTwins(sortWorkingFirst(found)) : found;
  const split = splitOrdered(distinct, roots);
  const contests = findContests(split);
  for (const [name, source] of Object.entries(preferences.projectPreferred ?? {}))
    applyPreference(contests.get(foldName(name)), { source, by: 'project' });
  for (const [name, source] of Object.entries(preferences.preferred))
    applyPreference(contests.get(foldName(name)), { source, by: 'user' });
  const winners: Wish[] = [];
  const entered = new Set<FoundSkill>();
  const contested = new Map<FoundSkill, Holder>();
  for (const { copies, preferredBy } of contests.values()) {
    const [first, ...rest] = copies;
    if (first === undefined) continue;
    winners.push(first);
    if (rest.length === 0) continue;
    for (const { one } of copies) entered.add(one);
    const losers = rest.map(({ one }) => one);
    contested.set(first.one, { winner: first.one, losers, ...(preferredBy && { preferredBy }) });
  }
  const others = entered.size === 0 ? split.ordered : split.ordered.filter((one) => !entered.has(one));
  return { winners: mergeByName(others, winners), contested };
}

/** A skill and the name that it wants. */
interface Wish extends PlacedSkill {
  readonly name: string;
  /** The folded name. */
  readonly key: string;
}

/** The skills that want one name. */
interface Contest {
  /** The first one holds it. */
  readonly copies: Wish[];
  preferredBy?: 'user' | 'project';
}

/** The contests for the names of skills that are not in order; one of those that are may take part in each. */
function findContests({ ordered, places, others }: SplitSkills): ReadonlyMap<string, Contest> {
  const findOrdered: FindWish = (key) => {
    const at = findByName(ordered, key);
    const one = ordered[at];
    return one?.skill.name === key ? { one, place: places[at] ?? 0, name: key, key } : undefined;
  };
  const wishes = others.map(toWish);
  const claims = findClaims(wishes, findOrdered);
  const rankOf = (wish: Wish): number => (claims.has(wish) ? 2 : Number(isBroken(wish.one.skill)));
  const contests = new Map<string, Contest>();
  for (const [key, group] of Map.groupBy(wishes, (wish) => (claims.get(wish) ?? wish).key)) {
    const peer = findOrdered(key);
    const wanting = peer === undefined ? group : [...group, peer];
    if (wanting.length > 1) wanting.sort((a, b) => rankOf(a) - rankOf(b) || a.place - b.place);
    const copies: Wish[] = [];
    for (const wish of wanting) {
      if (!claims.has(wish) && isBetterSpelled(wish, copies[0])) copies.unshift(wish);
      else copies.push(wish);
    }
    contests.set(key, { copies });
  }
  return contests;
}

/** Finds an ordered skill by its name. */
type FindWish = (key: string) => Wish | undefined;

function toWish({ one, place }: PlacedSkill): Wish {
  const { name } = one.skill;
  return { one, place, name, key: foldName(name) };
}

function applyPreference(
  contest: Contest | undefined,
  { source, by }: { readonly source: string; readonly by: 'user' | 'project' },
): void {
  if (contest === undefined || contest.copies.length < 2) return;
  const { copies } = contest;
  const at = copies.findIndex(({ one: { root, skill } }) => isSourceNamed(root.id, [source]) && !isBroken(skill));
  const isOfProject = copies[0]?.one.root.level === 'project' && copies[at]?.one.root.level === 'project';
  if (at === -1 || (by === 'project' && !isOfProject)) return;
  copies.unshift(...copies.splice(at, 1));
  contest.preferredBy = by;
}

/** `Demo` is no valid name: however high its source ranks, it does not take the place of `demo`. */
function isBetterSpelled({ one, name }: Wish, winner: Wish | undefined): boolean {
  if (winner === undefined || name === winner.name || isBroken(one.skill)) return false;
  return findNameFaults(winner.name).length > 0 && findNameFaults(name).length === 0;
}

function sortWorkingFirst(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const broken = found.filter(({ skill }) => isBroken(skill));
  return broken.length === 0 ? found : [...found.filter(({ skill }) => !isBroken(skill)), ...broken];
}

/** Can one directory have been found twice? Without links, only if its root was scanned twice. */
function mayHoldTwins(found: readonly FoundSkill[], roots: Iterable<SourceRoot>): boolean {
  const paths = [...roots].map(({ path }) => path);
  return new Set(paths).size < paths.length || found.some(({ realDir }) => realDir !== undefined);
}

function dropTwins(found: readonly FoundSkill[]): readonly FoundSkill[] {
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

/** Skills that use the name of a neighbour's directory, each with that neighbour. None of those in order does. */
function findClaims(wishes: readonly Wish[], findOrdered: FindWish): ReadonlyMap<Wish, Wish> {
  const claims = new Map<Wish, Wish>();
  const suspects = wishes.filter(({ one, name, key }) => name !== one.skill.id && key !== foldName(one.skill.id));
  if (suspects.length === 0) return claims;
  const working = wishes.filter(({ one }) => !isBroken(one.skill));
  const neighbours = new Map(working.map((wish) => [neighbourKey(wish, foldName(wish.one.skill.id)), wish]));
  for (const claimant of suspects) {
    const known = neighbours.get(neighbourKey(claimant, claimant.key));
    const ordered = findOrdered(claimant.key);
    const isNeighbour = ordered?.one.root.path === claimant.one.root.path && ordered.place > (known?.place ?? -1);
    const owner = isNeighbour ? ordered : known;
    if (owner !== undefined) claims.set(claimant, owner);
  }
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

function neighbourKey({ one }: Wish, folded: string): string {
  return `${one.root.path}\0${folded}`;
}
