/** The part in which two texts differ. */
export interface Swap {
  readonly before: string;
  readonly after: string;
}

export function findChange(before: string, after: string): Swap {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

/** Takes changes back, the last one first, wherever in the text they are now. Undefined if one is not there any more. */
export function undoChanges(text: string, changes: readonly Swap[]): string | undefined {
  return changes.reduceRight<string | undefined>((changed, { before, after }) => {
    const at = changed?.indexOf(after) ?? -1;
    const isOnce = after !== '' && at !== -1 && changed?.indexOf(after, at + 1) === -1;
    return isOnce ? `${changed?.slice(0, at)}${before}${changed?.slice(at + after.length)}` : undefined;
  }, text);
}
