/** One line of a comparison, with its line end: in both texts (blank), only in the old (-) or the new one (+). */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** If more lines differ, everything from the first to the last difference counts as one change. */
const MAX_DISTANCE = 1_000;

/**
 * Finds the fewest lines to remove and add, by Myers' algorithm. The work is bounded by the lengths times
 * `MAX_DISTANCE`.
 */
export function diffLines(oldText: string, newText: string): readonly DiffLine[] {
  const before = splitLines(oldText);
  const after = splitLines(newText);
  const head = countAlike(before, after);
  const tail = countAlike(before.slice(head).toReversed(), after.slice(head).toReversed());
  const left = before.slice(head, before.length - tail);
  const right = after.slice(head, after.length - tail);
  return [
    ...mark(' ', before.slice(0, head)),
    ...(walk(left, right) ?? [...mark('-', left), ...mark('+', right)]),
    ...mark(' ', before.slice(before.length - tail)),
  ];
}

/** Keeps line ends, so that a missing one at the end counts as a difference. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countAlike(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

function mark(sign: DiffLine['mark'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((line) => ({ mark: sign, line }));
}

/** A diagonal is the number of removed minus added lines; `reached` is how far into the old text each one gets. */
function walk(left: readonly string[], right: readonly string[]): readonly DiffLine[] | undefined {
  const most = Math.min(left.length + right.length, MAX_DISTANCE);
  const reached = new Map<number, number>([[1, 0]]);
  const trail: ReadonlyMap<number, number>[] = [];
  for (let distance = 0; distance <= most; distance += 1) {
    trail.push(new Map(reached));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let at = startOn(reached, diagonal, distance);
      while (at < left.length && at - diagonal < right.length && left[at] === right[at - diagonal]) at += 1;
      reached.set(diagonal, at);
      if (at >= left.length && at - diagonal >= right.length) return retrace(trail, left, right);
    }
  }
  return undefined;
}

function comesFromAbove(reached: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  if (diagonal === -distance || diagonal === distance) return diagonal === -distance;
  return (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1);
}

function startOn(reached: ReadonlyMap<number, number>, diagonal: number, distance: number): number {
  return comesFromAbove(reached, diagonal, distance)
    ? (reached.get(diagonal + 1) ?? 0)
    : (reached.get(diagonal - 1) ?? 0) + 1;
}

function retrace(
  trail: readonly ReadonlyMap<number, number>[],
  left: readonly string[],
  right: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [at, to] = [left.length, right.length];
  for (let distance = trail.length - 1; distance >= 0; distance -= 1) {
    const reached = trail[distance] ?? new Map<number, number>();
    const isPut = comesFromAbove(reached, at - to, distance);
    const diagonal = isPut ? at - to + 1 : at - to - 1;
    const from = distance === 0 ? 0 : (reached.get(diagonal) ?? 0);
    const target = distance === 0 ? 0 : from - diagonal;
    const run = distance === 0 ? at : isPut ? at - from : at - from - 1;
    for (let step = 0; step < run; step += 1) lines.push({ mark: ' ', line: left[(at -= 1)] ?? '' });
    if (distance > 0)
      lines.push(isPut ? { mark: '+', line: right[target] ?? '' } : { mark: '-', line: left[from] ?? '' });
    [at, to] = [from, target];
  }
  return lines.toReversed();
}
