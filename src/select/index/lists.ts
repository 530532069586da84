import { MemoryColumn, wholeOf, type Column } from './column.ts';

/** Many lists of numbers in one: list `n` is `values` from `starts[n]` to `starts[n + 1]`. */
export interface Lists {
  readonly starts: Uint32Array;
  readonly values: Column<Uint32Array>;
}

/** The same with all values in memory. */
export interface PackedLists {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly values: Uint32Array<ArrayBuffer>;
}

export const NO_LISTS: Lists = { starts: new Uint32Array(1), values: new MemoryColumn(new Uint32Array()) };

export function listAt({ starts, values }: Lists, at: number): Uint32Array {
  return values.range(starts[at] ?? 0, starts[at + 1] ?? 0);
}

export function lengthAt({ starts }: Lists, at: number): number {
  return (starts[at + 1] ?? 0) - (starts[at] ?? 0);
}

/** Some lists, and the number that each gets among the merged ones, or `GONE`. */
export interface ListsPart {
  readonly lists: Lists;
  readonly numbers: Uint32Array;
}

export const GONE = 0xffffffff;

/** The lists of several parts as `count` lists. A part that has all of them in their order is taken as it is. */
export function mergeLists(parts: readonly ListsPart[], count: number): Lists {
  const [whole] = parts;
  if (whole !== undefined && parts.length === 1 && isWhole(whole, count)) return whole.lists;
  const starts = new Uint32Array(count + 1);
  for (const { lists, numbers } of parts)
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] ?? GONE;
      if (number !== GONE) starts[number + 1] = (lists.starts[at + 1] ?? 0) - (lists.starts[at] ?? 0);
    }
  for (let at = 0; at < count; at += 1) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const values = new Uint32Array(starts[count] ?? 0);
  for (const { lists, numbers } of parts) copyLists(lists, numbers, { starts, values });
  return { starts, values: new MemoryColumn(values) };
}

function isWhole({ numbers }: ListsPart, count: number): boolean {
  return numbers.length === count && numbers.every((number, at) => number === at);
}

/** Lists that stay next to each other are copied together. */
function copyLists(lists: Lists, numbers: Uint32Array, target: PackedLists): void {
  const whole = wholeOf(lists.values);
  for (let at = 0; at < numbers.length;) {
    const first = at;
    const number = numbers[first] ?? GONE;
    at += 1;
    if (number === GONE) continue;
    while (at < numbers.length && numbers[at] === number + at - first) at += 1;
    target.values.set(whole.subarray(lists.starts[first] ?? 0, lists.starts[at] ?? 0), target.starts[number] ?? 0);
  }
}
