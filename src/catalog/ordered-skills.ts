import { compareText } from '../model/order.ts';
import type { SourceRoot } from '../model/source.ts';
import type { FoundSkill } from '../sources/scan.ts';

/**
 * The skills of the largest root whose names are known to be in order, and all others. With thousands of skills, even
 * looking at each name takes milliseconds; for these, it is not needed.
 */
export interface SplitSkills {
  readonly ordered: readonly FoundSkill[];
  /** The places of the ordered skills in the order of precedence. */
  readonly places: readonly number[];
  /** The others, with theirs. */
  readonly others: readonly PlacedSkill[];
}

export interface PlacedSkill {
  readonly one: FoundSkill;
  readonly place: number;
}

export function splitOrdered(found: readonly FoundSkill[], roots: ReadonlyMap<SourceRoot, number>): SplitSkills {
  const most = Math.max(...roots.values());
  const main = [...roots].find(([, count]) => count === most)?.[0];
  const ordered: FoundSkill[] = [];
  const places: number[] = [];
  const others: PlacedSkill[] = [];
  let place = 0;
  for (const one of found) {
    if (one.isInOrder === true && one.root === main) {
      ordered.push(one);
      places.push(place);
    } else others.push({ one, place });
    place += 1;
  }
  return { ordered, places, others };
}

/** The roots in which skills were found, with their number. */
export function countByRoot(found: readonly FoundSkill[]): ReadonlyMap<SourceRoot, number> {
  const counts = new Map<SourceRoot, number>();
  let root: SourceRoot | undefined;
  let count = 0;
  for (const one of found) {
    if (one.root !== root) {
      if (root !== undefined) counts.set(root, count);
      root = one.root;
      count = counts.get(root) ?? 0;
    }
    count += 1;
  }
  return root === undefined ? counts : counts.set(root, count);
}

/** Where a name is among ordered skills, or where it would be. */
export function findByName(ordered: readonly FoundSkill[], name: string, start = 0): number {
  let from = start;
  let to = ordered.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareText(ordered[middle]?.skill.name ?? '', name) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

interface NamedSkill {
  readonly one: FoundSkill;
  readonly name: string;
}

/** If there are more others than one in so many, sorting everything is faster. */
const FEW = 8;

/** All skills by name. Those that are ordered already are hardly looked at if there are few others. */
export function mergeByName(ordered: readonly FoundSkill[], others: readonly NamedSkill[]): readonly FoundSkill[] {
  if (others.length * FEW > ordered.length) {
    const named = ordered.map((one) => ({ one, name: one.skill.name }));
    return [...named, ...others].sort(byName).map(({ one }) => one);
  }
  const merged: FoundSkill[] = [];
  let next = 0;
  const copyTo = (end: number): void => {
    for (const one of ordered.slice(next, end)) merged.push(one);
    next = end;
  };
  for (const { one, name } of others.toSorted(byName)) {
    copyTo(findByName(ordered, name, next));
    merged.push(one);
  }
  copyTo(ordered.length);
  return merged;
}

function byName(a: NamedSkill, b: NamedSkill): number {
  return compareText(a.name, b.name);
}
