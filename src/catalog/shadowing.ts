import { dirname } from 'node:path';

import { isSourceNamed } from '../config/source-names.ts';
import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { compareText } from '../model/order.ts';
import { findNameFaults, foldName } from '../parse/name-rules.ts';
import { realPath } from '../platform/files/files.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';

/** The skill that holds a name, and the copies that lost it. */
export interface Holder {
  readonly winner: FoundSkill;
  readonly losers: readonly FoundSkill[];
  /** Whose preference gave it the name; absent if precedence did. */
  readonly preferredBy?: 'user' | 'project' | undefined;
}

/** The settings `preferred`: the user's, and the project's. */
export type Preferences = Pick<SkillsConfig, 'preferred' | 'project'>;

/**
 * Assigns every name to one skill. `found` is in order of precedence: the first wins, the others become its shadows.
 * Names that differ only in case or Unicode form are the same name. One directory found twice is one skill, of the
 * source where it lies if the other is a link in the folder of another agent. A skill
 * cannot take the name of a neighbouring skill's directory. A broken skill has the name of its directory only while no
 * working skill of any source has that name. A preference for a source puts its copy first; a project's counts only
 * while a copy of the project has the name, and only for another copy of the project.
 */
export function resolveShadowing(
  found: readonly FoundSkill[],
  preferences: Preferences = { preferred: {}, project: {} },
): readonly Holder[] {
  const contests = findContests(dropRepeated(sortWorkingFirst(found)).map(toWish));
  for (const [name, source] of Object.entries(preferences.project.preferred ?? {}))
    applyPreference(contests.get(foldName(name)), { source, by: 'project' });
  for (const [name, source] of Object.entries(preferences.preferred))
    applyPreference(contests.get(foldName(name)), { source, by: 'user' });
  return [...contests.values()].map(toHolder).sort((a, b) => compareText(a.winner.skill.name, b.winner.skill.name));
}

/** A skill and the name that it wants. */
interface Wish {
  readonly one: FoundSkill;
  readonly name: string;
  /** The folded name. */
  readonly key: string;
}

function toWish(one: FoundSkill): Wish {
  const { name } = one.skill;
  return { one, name, key: foldName(name) };
}

/** The skills that want one name. The first one holds it. */
interface Contest {
  readonly copies: [Wish, ...Wish[]];
  preferredBy?: 'user' | 'project';
}

function toHolder({ copies: [first, ...rest], preferredBy }: Contest): Holder {
  return { winner: first.one, losers: rest.map(({ one }) => one), ...(preferredBy && { preferredBy }) };
}

/** The contest for each name. `wishes` are in order of precedence, the working skills before the broken ones. */
function findContests(wishes: readonly Wish[]): ReadonlyMap<string, Contest> {
  const claims = findClaims(wishes);
  const contests = new Map<string, Contest>();
  for (const wish of [...wishes.filter((one) => !claims.has(one)), ...claims.keys()]) {
    const { key } = claims.get(wish) ?? wish;
    const contest = contests.get(key);
    if (contest === undefined) contests.set(key, { copies: [wish] });
    else if (!claims.has(wish) && isBetterSpelled(wish, contest.copies[0])) contest.copies.unshift(wish);
    else contest.copies.push(wish);
  }
  return contests;
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

/** `Demo` is not a valid name: it never replaces `demo`, whatever the precedence of its source. */
function isBetterSpelled({ one, name }: Wish, winner: Wish): boolean {
  if (name === winner.name || isBroken(one.skill)) return false;
  return findNameFaults(winner.name).length > 0 && findNameFaults(name).length === 0;
}

function sortWorkingFirst(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const broken = found.filter(({ skill }) => isBroken(skill));
  return broken.length === 0 ? found : [...found.filter(({ skill }) => !isBroken(skill)), ...broken];
}

function dropRepeated(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const places = Map.groupBy(found, ({ realDir }) => realDir);
  return found.filter((one) => one === chooseOne(places.get(one.realDir) ?? [one]));
}

/**
 * The first one. But a link in another agent's folder does not take a skill from its real source, unless only that
 * agent can use it: some sources require a description.
 */
function chooseOne(finds: readonly FoundSkill[]): FoundSkill | undefined {
  const [first] = finds;
  if (first === undefined || finds.length === 1 || OWN_SOURCES.test(first.root.id) || isAtHome(first)) return first;
  return finds.find((one) => isAtHome(one) && isBroken(one.skill) === isBroken(first.skill)) ?? first;
}

const OWN_SOURCES = /^(?:plugin|project|user|agent-written)$/;

function isAtHome(found: FoundSkill): boolean {
  return dirname(found.realDir) === realPath(found.root.path);
}

/** Skills that use the name of a neighbour's directory, each with that neighbour. */
function findClaims(wishes: readonly Wish[]): ReadonlyMap<Wish, Wish> {
  const working = wishes.filter(({ one }) => !isBroken(one.skill));
  const neighbours = new Map(working.map((wish) => [neighbourKey(wish, foldName(wish.one.skill.id)), wish]));
  const claims = new Map<Wish, Wish>();
  for (const claimant of wishes) {
    const owner = neighbours.get(neighbourKey(claimant, claimant.key));
    if (claimant.key !== foldName(claimant.one.skill.id) && owner !== undefined) claims.set(claimant, owner);
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
  const differs = isSameText ? '' : ' and a different text';
  return {
    code: 'SHADOWED',
    severity: isSameName && (isSameText || isChosen) ? 'info' : 'warning',
    path: loser.skill.file,
    field: 'name',
    message: `"${loser.skill.name}" in ${loser.skill.file} is not used: ${winner.skill.file} has the same name${spelled}${differs}`,
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
