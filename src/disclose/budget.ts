import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import type { CatalogEntry, CatalogFormat } from './catalog-format.ts';
import { CatalogSheet, NAMED } from './catalog-sheet.ts';
import type { KeepingOrder } from './keeping-order.ts';

/** Skills in the order in which they are shown, with the order in which they are kept. */
export interface CatalogList extends KeepingOrder {
  readonly entries: readonly CatalogEntry[];
}

/** The lengths that descriptions may have, in characters. None is longer than the specification allows. */
const STEPS: readonly number[] = [64, 128, 256, 512, MAX_DESCRIPTION_LENGTH];
/** How much of the room descriptions may take where not all skills can be named. */
const FRONT_SHARE = 1 / 4;

/**
 * The catalog in at most `capacity` characters. Every skill keeps its name while the names fit. Then the front gets
 * descriptions, and then the rest, all of them a little longer at each step: no skill is cut shorter than one that is
 * needed less. Where the names do not fit, the front is described in up to a quarter of the room, the first names take
 * the rest of it, and the text says how many are missing.
 */
export function fitCatalog(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet {
  return showAll(list, format, capacity) ?? nameAll(list, format, capacity) ?? nameSome(list, format, capacity);
}

function showAll({ entries, order }: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet | undefined {
  const sheet = new CatalogSheet(entries, format);
  return sheet.raise(order, MAX_DESCRIPTION_LENGTH, capacity) ? sheet : undefined;
}

function nameAll(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet | undefined {
  const { entries, order, front } = list;
  const sheet = new CatalogSheet(entries, format);
  if (!sheet.raise(order, NAMED, capacity)) return undefined;
  const describe = (some: readonly number[]): boolean => STEPS.every((step) => sheet.raise(some, step, capacity));
  if (describe(order.slice(0, front))) describe(order.slice(front));
  return sheet;
}

function nameSome({ entries, order, front }: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet {
  const sheet = new CatalogSheet(entries, format);
  const room = capacity - format.more(entries.length).length;
  const first = order.slice(0, front);
  STEPS.every((step) => sheet.raise(first, step, room * FRONT_SHARE));
  sheet.raise(order, NAMED, room);
  return sheet;
}
