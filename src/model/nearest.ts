import { MAX_NAME_LENGTH } from './limits.ts';
import { compareText } from './order.ts';

/** The candidate that differs least, if it differs little enough to be a slip. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const letters = word.replace(/^-+/, '').length;
  const most = letters < 3 ? 0 : letters < 5 ? 1 : 2;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance, candidate }) => distance <= most || (letters >= 3 && candidate.startsWith(word)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** The name that is written alike, whatever its case and hyphens, or that contains the word: `timeout` may mean `scriptTimeout`. */
export function findMeant(key: string, known: readonly string[]): string | undefined {
  const fold = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();
  const near = findNearest(fold(key), known.map(fold));
  const word = fold(key);
  return (
    known.find((name) => fold(name) === near) ?? known.find((name) => word.length > 3 && fold(name).includes(word))
  );
}

/** At most `most` names that may be meant by the wanted one, the nearest first: half of its letters must be right. */
export function findNear(names: readonly string[], wanted: string, most: number): readonly string[] {
  const lower = foldCase(wanted);
  return sortByNearness(names, [wanted], most).filter((name) => {
    const other = foldCase(name);
    return other.split(/[^a-z0-9]+/).includes(lower) || distanceOf(other, lower) <= lower.length / 2;
  });
}

/** Sorts names by how close they are to any of the wanted ones, ignoring case, and returns at most `most`. */
export function sortByNearness(
  names: readonly string[],
  wanted: readonly string[],
  most: number = Number.POSITIVE_INFINITY,
): readonly string[] {
  const folded = wanted.map(foldCase);
  return names
    .map((name) => ({ name, distance: Math.min(...folded.map((other) => distanceOf(foldCase(name), other))) }))
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .slice(0, most)
    .map(({ name }) => name);
}

function foldCase(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).toLowerCase();
}

/** A name that contains the other has a distance below 1. */
function distanceOf(a: string, b: string): number {
  if (a.includes(b) || b.includes(a)) return 1 - Math.min(a.length, b.length) / Math.max(a.length, b.length, 1);
  return editDistance(a, b);
}

/** Letters to insert, remove, replace or swap with a neighbour. */
function editDistance(a: string, b: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const [left, up, corner] = [next[j - 1] ?? 0, row?.[j] ?? 0, row?.[j - 1] ?? 0];
      let best = Math.min(left + 1, up + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before?.[j - 2] ?? best) + 1);
      next.push(best);
    }
    [before, row] = [row, next];
  }
  return row?.at(-1) ?? 0;
}
