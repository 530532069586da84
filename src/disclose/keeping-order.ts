import type { Skill } from '../model/skill.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';

/** What is known about how much each skill is needed. */
export interface NeedOptions {
  /** The skills that a message activates, best match first. */
  readonly matches?: readonly TriggerMatch[] | undefined;
  /** How well each skill serves the message. */
  readonly relevance?: ReadonlyMap<Skill, number> | undefined;
  /** When each skill was last used, by name; greater is later. */
  readonly lastUsed?: ReadonlyMap<string, number> | undefined;
}

export interface KeepingOrder {
  /** Positions of the skills, most needed first. */
  readonly order: readonly number[];
  /** How many of the first get descriptions before all others: pinned, triggered, and a few more that are needed. */
  readonly front: number;
}

/** Relevant or recently used skills come to the front up to this number. */
const LEAST_FRONT = 10;
/** How many skills count as recently used; older uses do not put a skill before one that was never used. */
const MOST_RECENT = 20;

const NO_USES: ReadonlyMap<string, number> = new Map();

/**
 * The order in which to keep skills if there is no room for all: pinned, triggered, relevant, recently used, then as
 * given. `skills` must be in the order they are shown.
 */
export function orderByNeed(skills: readonly Skill[], options: NeedOptions = {}): KeepingOrder {
  const { matches = [], relevance, lastUsed = NO_USES } = options;
  const triggered = rankNames(matches.map(({ skill }) => skill.name));
  const recent = rankNames(namesByUse(skills, lastUsed).slice(0, MOST_RECENT));
  const needs = skills.map((skill) => [
    Number(skill.pinned),
    triggered.get(skill.name) ?? 0,
    relevance?.get(skill) ?? 0,
    recent.get(skill.name) ?? 0,
  ]);
  const order = [...skills.keys()].sort((a, b) => compareNeeds(needs[a] ?? [], needs[b] ?? []));
  const wanted = needs.filter(([pinned = 0, asked = 0]) => pinned + asked > 0).length;
  const needed = needs.filter((need) => need.some((weight) => weight > 0)).length;
  return { order, front: Math.max(wanted, Math.min(needed, LEAST_FRONT)) };
}

/** Numbers the names: the first gets the greatest number, all are above 0. */
function rankNames(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, at) => [name, names.length - at]));
}

function namesByUse(skills: readonly Skill[], lastUsed: ReadonlyMap<string, number>): readonly string[] {
  const used = skills.map(({ name }) => name).filter((name) => lastUsed.has(name));
  return used.sort((a, b) => (lastUsed.get(b) ?? 0) - (lastUsed.get(a) ?? 0));
}

function compareNeeds(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((need, index) => need !== b[index]);
  return at === -1 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}
