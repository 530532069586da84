import { MemoryColumn, type Column } from './column.ts';

/** Many lists of numbers in one: list `n` is `values` from `starts[n]` to `starts[n + 1]`. */
export interface Lists {
  readonly starts: Uint32Array;
  readonly values: Column<Uint32Array>;
}

export function packLists(lists: readonly Uint32Array[]): Lists {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  const values = new Uint32Array(starts[lists.length] ?? 0);
  for (const [at, list] of lists.entries()) values.set(list, starts[at]);
  return { starts, values: new MemoryColumn(values) };
}

export function listAt({ starts, values }: Lists, at: number): Uint32Array {
  return values.range(starts[at] ?? 0, starts[at + 1] ?? 0);
}
