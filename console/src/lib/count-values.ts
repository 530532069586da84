/** Choices of a filter: the values, most frequent first, each with its number. */
export function countValues(values: readonly string[], sign = ''): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([value, count]) => [value, `${sign}${value} (${count})`]);
}
