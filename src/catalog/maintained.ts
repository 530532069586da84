import type { Skill } from '../model/skill.ts';
import { isTrustedByPlace } from './trust.ts';

/**
 * Compares two skills that are nearly the same, the better maintained first: valid before flawed, in a trusted place before
 * any other, used last, newest. A newer copy alone must not replace one that its user trusts.
 */
export function compareMaintained(lastUsed: ReadonlyMap<string, number>): (a: Skill, b: Skill) => number {
  return (a, b) =>
    countFlaws(a) - countFlaws(b) ||
    Number(isTrustedByPlace(b)) - Number(isTrustedByPlace(a)) ||
    (lastUsed.get(b.name) ?? 0) - (lastUsed.get(a.name) ?? 0) ||
    b.stamp.mtimeMs - a.stamp.mtimeMs;
}

function countFlaws({ diagnostics }: Skill): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}
