/** How a long list is printed: item by item, then one line that counts the rest. */
export interface ListPrinting<T> {
  /** Print at most this many items. */
  readonly most: number;
  readonly each: (item: T) => void;
  readonly rest: (text: string) => void;
}

export function printFirst<T>(items: readonly T[], { most, each, rest }: ListPrinting<T>): void {
  for (const item of items.slice(0, most)) each(item);
  if (items.length > most) rest(`and ${items.length - most} more; --json lists all`);
}
