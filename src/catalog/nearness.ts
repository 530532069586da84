import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { compareText } from '../model/order.ts';

/** The names, those most like any of the wanted ones first; case does not count. */
export function sortByNearness(names: readonly string[], wanted: readonly string[]): readonly string[] {
  const folded = wanted.map((name) => name.slice(0, MAX_NAME_LENGTH).toLowerCase());
  return names
    .map((name) => ({ name, distance: Math.min(...folded.map((other) => distanceOf(name.toLowerCase(), other))) }))
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .map(({ name }) => name);
}

/** Levenshtein distance; nearer than any slip is a name that contains the other. */
function distanceOf(a: string, b: string): number {
  if (a.includes(b) || b.includes(a)) return 1 - Math.min(a.length, b.length) / Math.max(a.length, b.length);
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
