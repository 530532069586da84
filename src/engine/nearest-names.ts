import { compareText } from '../catalog/order.ts';
import { visibleText } from '../disclose/harmless.ts';
import { MAX_NAME_LENGTH } from '../model/limits.ts';

const MOST_NAMED = 20;

/** The names there are for somebody who asked for others, as one line: those most like any of these come first. */
export function listNearest(names: readonly string[], wanted: readonly string[]): string {
  if (names.length === 0) return 'none';
  const folded = wanted.map((name) => name.slice(0, MAX_NAME_LENGTH).toLowerCase());
  const nearest = names
    .map((name) => ({ name, distance: Math.min(...folded.map((other) => distanceOf(name.toLowerCase(), other))) }))
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .slice(0, MOST_NAMED)
    .map(({ name }) => quoteName(name));
  const others = names.length - nearest.length;
  return `${nearest.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
}

/** A name in a sentence: in sight as it is, and no longer than names may be. */
export function quoteName(name: string): string {
  const points = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 2));
  const isLong = points.length > MAX_NAME_LENGTH;
  return visibleText(isLong ? `${points.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name);
}

/** Levenshtein distance; nearer than any slip is a name that contains the other. */
function distanceOf(a: string, b: string): number {
  if (a.includes(b) || b.includes(a)) return 1 - Math.min(a.length, b.length) / Math.max(a.length, b.length);
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
