import { visibleText } from '../disclose/harmless.ts';
import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { listSome } from '../model/list-some.ts';
import { findNear, sortByNearness } from '../model/nearest.ts';
import { fail, type Failure } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';

const MAX_NAMES = 20;
const MAX_NEAREST = 5;
const MAX_SUGGESTED = 3;

/** The next step of a model if a skill does not exist: the end of a sentence. */
export const SEARCH_INSTEAD = 'call search_skills with the task';

/** Tells a model that a skill does not exist, and which names are near. `visible` are the skills that it may know of. */
export function failUnknown(visible: readonly Skill[], name: string, instead: string = SEARCH_INSTEAD): Failure {
  const names = visible.map((skill) => skill.name);
  const near = findNear(names, name, MAX_SUGGESTED).map(quoteName);
  const message = `There is no skill "${quoteName(name)}".`;
  if (near.length === 0)
    return fail('SKILL_NOT_FOUND', `${message} ${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`);
  const load = `Load ${near.length === 1 ? 'that one' : 'one of them'} if it fits, or ${instead}.`;
  return fail('SKILL_NOT_FOUND', `${message} Nearest: ${near.join(', ')}. ${load}`);
}

/** Up to five names, most similar first. */
export function nearestNames(names: readonly string[], wanted: string): readonly string[] {
  return sortByNearness(names, [wanted], MAX_NEAREST);
}

/** One line of existing names, those most similar to any of the wanted ones first. */
export function listNearest(names: readonly string[], wanted: readonly string[]): string {
  if (names.length === 0) return 'none';
  return listSome(sortByNearness(names, wanted).map(quoteName), { most: MAX_NAMES });
}

/** A name for use in a sentence: hidden characters become visible, and it is cut to the maximum length of names. */
export function quoteName(name: string): string {
  const points = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 2));
  const isLong = points.length > MAX_NAME_LENGTH;
  return visibleText(isLong ? `${points.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name);
}
