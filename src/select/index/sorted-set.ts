/** A set of numbers in the least memory that can still be asked fast: sorted, each once. */
export type SortedSet = Uint32Array;

export function toSortedSet(numbers: readonly number[] | Uint32Array): SortedSet {
  const sorted = Uint32Array.from(numbers).sort();
  let length = 0;
  for (const number of sorted) {
    if (length === 0 || sorted[length - 1] !== number) sorted[length++] = number;
  }
  return sorted.slice(0, length);
}

export function has(set: SortedSet, wanted: number): boolean {
  return positionIn(set, wanted) !== undefined;
}

export function positionIn(set: SortedSet, wanted: number): number | undefined {
  let low = 0;
  let high = set.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = set[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** How much two sets share: 0 nothing, 1 everything. */
export function likeness(a: SortedSet, b: SortedSet): number {
  let [atA, atB, shared] = [0, 0, 0];
  while (atA < a.length && atB < b.length) {
    const difference = (a[atA] ?? 0) - (b[atB] ?? 0);
    if (difference === 0) shared += 1;
    if (difference <= 0) atA += 1;
    if (difference >= 0) atB += 1;
  }
  return shared === 0 ? 0 : shared / (a.length + b.length - shared);
}
