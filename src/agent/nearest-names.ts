import { sortByNearness } from '../catalog/nearness.ts';
import { visibleText } from '../disclose/harmless.ts';
import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { listSome } from '../model/list-some.ts';

const MOST_NAMED = 20;

/** The few names that are most like the wanted one. */
export function nearestNames(names: readonly string[], wanted: string): readonly string[] {
  return sortByNearness(names, [wanted]).slice(0, FEW);
}

const FEW = 5;

/** The names there are for somebody who asked for others, as one line: those most like any of these come first. */
export function listNearest(names: readonly string[], wanted: readonly string[]): string {
  if (names.length === 0) return 'none';
  return listSome(sortByNearness(names, wanted).map(quoteName), { most: MOST_NAMED });
}

/** A name in a sentence: in sight as it is, and no longer than names may be. */
export function quoteName(name: string): string {
  const points = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 2));
  const isLong = points.length > MAX_NAME_LENGTH;
  return visibleText(isLong ? `${points.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name);
}
