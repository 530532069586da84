import { invalidParams } from './protocol-failure.ts';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface PageOptions<T> {
  readonly size: number;
  /** The sort key of an item; unique. */
  readonly keyOf: (item: T) => string;
}

/**
 * One page of a sorted list. A cursor names the last item before the page: if the list changes between two pages, the
 * items that stay are neither repeated nor skipped.
 */
export function listPage<T>(
  items: readonly T[],
  cursor: string | undefined,
  { size, keyOf }: PageOptions<T>,
): ListPage<T> {
  const keys = items.map(keyOf);
  const start = cursor === undefined ? 0 : findAfter(keys, decodeCursor(cursor));
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  const isLast = start + size >= items.length || last === undefined;
  return isLast ? { items: page } : { items: page, nextCursor: encodeCursor(keyOf(last)) };
}

/** If the last item is gone, the page begins with the one that would have followed it. */
function findAfter(keys: readonly string[], last: string): number {
  const at = keys.indexOf(last);
  const next = at === -1 ? keys.findIndex((key) => key > last) : at + 1;
  return next === -1 ? keys.length : next;
}

const MARK = 'after ';

function encodeCursor(key: string): string {
  return Buffer.from(`${MARK}${key}`).toString('base64url');
}

function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(MARK)) throw invalidParams('Invalid cursor');
  return text.slice(MARK.length);
}
