import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import { CatalogSheet, NAMED } from './catalog-sheet.ts';
import type { CatalogEntry, CatalogFormat } from './formats/catalog-format.ts';
import type { KeepingOrder } from './keeping-order.ts';

/** Skills in the order they are shown, with the order in which to keep them. */
export interface CatalogList extends KeepingOrder {
  readonly entries: readonly CatalogEntry[];
}

/** Lengths to try for descriptions, in characters, up to what the specification allows. */
const STEPS: readonly number[] = [48, 128, 256, 512, MAX_DESCRIPTION_LENGTH];
/** If not every skill can have as much, some have no description. */
const LEAST_LENGTH = 64;
/** Lengths closer than this are not told apart. */
const LENGTH_STEP = 16;
/** The share of the room in which descriptions of needed skills come before those, or the names, of others. */
const FRONT_SHARE = 0.4;

/**
 * Writes a catalog of at most `capacity` characters. If every skill can have 64 characters of its description, all get
 * the same length, and the skills in front their whole description in up to 40 % of the room. Else, if all names fit, every skill is named, and
 * the remaining room goes to descriptions, first of the skills in front, then of the others. If the names do not fit
 * either, the skills in front get descriptions in part of the room, names fill the rest, and the text says how many skills
 * are missing. No skill is cut shorter than one that is needed less.
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
