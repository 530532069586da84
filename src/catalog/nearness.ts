import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { compareText } from '../model/order.ts';

/** At most `most` names that may be meant by the wanted one, the nearest first: half of its letters must be right. */
export function findNear(names: readonly string[], wanted: string, most: number): readonly string[] {
  const lower = wanted.slice(0, MAX_NAME_LENGTH).toLowerCase();
  return sortByNearness(names, [wanted], most).filter((name) => {
    const other = name.toLowerCase();
    return other.split(/[^a-z0-9]+/).includes(lower) || distanceOf(other, lower, lower.length) <= lower.length / 2;
  });
}

/** Sorts names by how close they are to any of the wanted ones, ignoring case, and returns at most `most`. */
export function sortByNearness(
  names: readonly string[],
  wanted: readonly string[],
  most: number = Number.POSITIVE_INFINITY,
): readonly string[] {
  const folded = wanted.map((name) => name.slice(0, MAX_NAME_LENGTH).toLowerCase());
  const nearest: Near[] = [];
  for (const name of names) {
    const bound = nearest.length < most ? Number.POSITIVE_INFINITY : (nearest.at(-1)?.distance ?? 0);
    const lower = name.toLowerCase();
    const distance = Math.min(...folded.map((other) => distanceOf(lower, other, bound)));
    if (distance > bound) continue;
    nearest.push({ name, distance });
    if (nearest.length >= most) nearest.sort(byDistance).splice(most);
  }
  return nearest.sort(byDistance).map(({ name }) => name);
}

interface Near {
  readonly name: string;
  readonly distance: number;
}

function byDistance(a: Near, b: Near): number {
  return a.distance - b.distance || compareText(a.name, b.name);
}

/** Levenshtein distance, or any number above `bound` if it exceeds that. A name that contains the other is below 1. */
function distanceOf(a: string, b: string, bound: number): number {
  if (a.includes(b) || b.includes(a)) return 1 - Math.min(a.length, b.length) / Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > bound) return Number.POSITIVE_INFINITY;
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const distance = Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(distance);
      least = Math.min(least, distance);
    }
    // Later rows have no smaller numbers.
    if (least > bound) return Number.POSITIVE_INFINITY;
    above = current;
  }
  return above[b.length] ?? 0;
}
