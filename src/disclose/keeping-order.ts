import type { Skill } from '../model/skill.ts';
import { stem, wordsOf } from '../select/index/words.ts';
import type { TriggerMatch } from '../select/trigger-match.ts';

/** Evidence of how much each skill is needed. */
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
  /**
   * The same order for descriptions. Skills that nothing is known about do not come by name, but first those whose
   * description tells most. Not computed before it is asked for.
   */
  readonly describing?: (() => readonly number[]) | undefined;
}

/** Relevant or recently used skills come to the front up to this number. */
const LEAST_FRONT = 10;
/** How many skills count as recently used; older uses do not put a skill before one that was never used. */
const MOST_RECENT = 20;

const NO_USES: ReadonlyMap<string, number> = new Map();

/**
 * The order in which to keep skills if there is no room for all: pinned, triggered, relevant, recently used, then as
 * given (descriptions: then by how much they tell). `skills` must be in the order they are shown.
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
  const describing = (): readonly number[] => [
    ...order.slice(0, needed),
    ...sortByTelling(skills, order.slice(needed)),
  ];
  return { order, front: Math.max(wanted, Math.min(needed, LEAST_FRONT)), describing };
}

/**
 * Skills whose names say least about what they do come first: those with the fewest name words repeated in the
 * description. Ties: the shortest description first, so that more fit. Skills without a description come last.
 */
function sortByTelling(skills: readonly Skill[], positions: readonly number[]): readonly number[] {
  const telling = new Map(positions.map((at) => [at, measure(skills[at])]));
  return positions.toSorted((a, b) => compareNeeds(telling.get(b) ?? [], telling.get(a) ?? []));
}

/** Smaller is better; the first number that differs decides. */
function measure(skill: Skill | undefined): readonly number[] {
  const description = skill?.description || skill?.brief || '';
  const told = new Set(wordsOf(description).map(stem));
  const said = new Set(wordsOf(skill?.name ?? '').map(stem));
  return [Number(description === ''), [...said].filter((word) => told.has(word)).length, description.length];
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
