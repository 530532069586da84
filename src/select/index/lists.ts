/** Many lists of numbers in one: list `n` is `values` from `starts[n]` to `starts[n + 1]`. */
export interface Lists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

export function listAt({ starts, values }: Lists, at: number): Uint32Array {
  return values.subarray(starts[at], starts[at + 1]);
}

export function joinLists(lists: readonly Uint32Array[]): Lists {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  const values = new Uint32Array(starts.at(-1) ?? 0);
  for (const [at, list] of lists.entries()) values.set(list, starts[at]);
  return { starts, values };
}
