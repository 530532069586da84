/** Lists at most `most` items in one line and counts the rest: "a, b, c and 4 more". */
export function listSome(
  items: readonly string[],
  { most, separator = ', ' }: { readonly most: number; readonly separator?: string },
): string {
  const shown = items.slice(0, most).join(separator);
  const more = items.length - most;
  return more > 0 ? `${shown}${separator === ', ' ? ' ' : separator}and ${more} more` : shown;
}
