import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import { CatalogSheet, NAMED } from './catalog-sheet.ts';
import type { CatalogEntry, CatalogFormat } from './formats/catalog-format.ts';
import type { KeepingOrder } from './keeping-order.ts';

/** Skills in the order they are shown, with the order in which to keep them. */
export interface CatalogList extends KeepingOrder {
  readonly entries: readonly CatalogEntry[];
}

/** Lengths to try for descriptions, in characters, up to what the specification allows. */
const STEPS: readonly number[] = [64, 128, 256, 512, MAX_DESCRIPTION_LENGTH];
/** The share of the room for descriptions if not all names fit. */
const FRONT_SHARE = 1 / 4;

/**
 * Writes a catalog of at most `capacity` characters. If all names fit, every skill is named; the remaining room goes to
 * descriptions, first of the skills in front, then of the others. Descriptions grow step by step, so no skill is cut
 * shorter than one that is needed less. If the names do not fit, the skills in front get descriptions in up to a quarter
 * of the room, names fill the rest, and the text says how many skills are missing.
 */
export function fitCatalog(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet {
  return showAll(list, format, capacity) ?? nameAll(list, format, capacity) ?? nameSome(list, format, capacity);
}

function showAll({ entries, order }: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet | undefined {
  const sheet = new CatalogSheet(entries, format);
  return sheet.raise(order, MAX_DESCRIPTION_LENGTH, capacity) ? sheet : undefined;
}

function nameAll(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet | undefined {
  const { entries, order, front, describing = () => order } = list;
  const sheet = new CatalogSheet(entries, format);
  if (!sheet.raise(order, NAMED, capacity)) return undefined;
  const describe = (some: readonly number[]): boolean => STEPS.every((step) => sheet.raise(some, step, capacity));
  if (describe(order.slice(0, front))) describe(describing().slice(front));
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
