import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import { CatalogSheet, NAMED } from './catalog-sheet.ts';
import type { CatalogEntry, CatalogFormat } from './formats/catalog-format.ts';
import type { KeepingOrder } from './keeping-order.ts';

/** Skills in the order they are shown, with the order in which to keep them. */
export interface CatalogList extends KeepingOrder {
  readonly entries: readonly CatalogEntry[];
}

/** Candidate lengths for descriptions, in characters, up to the specification's limit. */
const STEPS: readonly number[] = [48, 128, 256, 512, MAX_DESCRIPTION_LENGTH];
/** If not every skill can have as much, some have no description. */
const LEAST_LENGTH = 64;
/** Differences in length below this are ignored. */
const LENGTH_STEP = 16;
/** The share of the room in which descriptions of needed skills come before those, or the names, of others. */
const FRONT_SHARE = 0.4;

/**
 * Writes a catalog of at most `capacity` characters. If every description can have 64 characters, all get the same
 * length, and needed skills their full description within 40% of the room. Otherwise, if all names fit, every skill is
 * named and the rest of the room goes to descriptions, needed skills first. If the names do not fit, needed skills get
 * descriptions in part of the room, names fill the rest, and the text counts the missing skills. No description is
 * shorter than that of a less needed skill.
 */
export function fitCatalog(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet {
  return describeAll(list, format, capacity) ?? nameAll(list, format, capacity) ?? nameSome(list, format, capacity);
}

function describeAll(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet | undefined {
  const { entries, order, front, describing = () => order } = list;
  const write = (length: number): CatalogSheet | undefined => {
    const sheet = new CatalogSheet(entries, format, { shown: entries.length, named: 0 });
    sheet.raise(order.slice(0, front), MAX_DESCRIPTION_LENGTH, FRONT_SHARE * capacity);
    return sheet.raise(order, length, capacity) ? sheet : undefined;
  };
  const whole = write(MAX_DESCRIPTION_LENGTH);
  if (whole !== undefined) return whole;
  let best = write(LEAST_LENGTH);
  if (best === undefined) return undefined;
  for (let low = LEAST_LENGTH, high = MAX_DESCRIPTION_LENGTH; high - low > LENGTH_STEP;) {
    const middle = Math.floor((low + high) / 2);
    const tried = write(middle);
    best = tried ?? best;
    if (tried === undefined) high = middle;
    else low = middle;
  }
  best.raise(describing(), MAX_DESCRIPTION_LENGTH, capacity);
  return best;
}

function nameAll(list: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet | undefined {
  const { entries, order, front, describing = () => order } = list;
  const sheet = new CatalogSheet(entries, format, { shown: entries.length, named: entries.length });
  if (!sheet.raise(order, NAMED, capacity)) return undefined;
  const describe = (some: readonly number[]): boolean => STEPS.every((step) => sheet.raise(some, step, capacity));
  if (describe(order.slice(0, front))) describe(describing().slice(front));
  return sheet;
}

function nameSome({ entries, order, front }: CatalogList, format: CatalogFormat, capacity: number): CatalogSheet {
  const sheet = new CatalogSheet(entries, format, { shown: entries.length - 1, named: entries.length });
  const room = capacity - format.more(entries.length).length;
  const first = order.slice(0, front);
  STEPS.every((step) => sheet.raise(first, step, room * FRONT_SHARE));
  sheet.raise(order, NAMED, room);
  return sheet;
}
