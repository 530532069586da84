import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';

/** Looks a skill up: by exact name, then by id, then by a unique match that ignores case. */
export function findSkill(skills: readonly Skill[], name: string): Outcome<{ readonly skill: Skill }> {
  const folded = name.toLowerCase();
  const alike = skills.filter((skill) => skill.name.toLowerCase() === folded || skill.id.toLowerCase() === folded);
  const skill =
    skills.find((candidate) => candidate.name === name) ??
    skills.find((candidate) => candidate.id === name) ??
    (alike.length === 1 ? alike[0] : undefined);
  if (skill !== undefined) return { ok: true, skill };
  return fail('SKILL_NOT_FOUND', `there is no skill "${name}"; ${suggest(skills, folded)}`);
}

const SHORT_LIST = 10;

function suggest(skills: readonly Skill[], name: string): string {
  const names = skills.map((skill) => skill.name);
  if (names.length === 0) return 'there are no skills at all';
  if (names.length <= SHORT_LIST) return `there are ${names.join(', ')}`;
  const nearest = names
    .map((candidate) => ({ candidate, distance: editDistance(candidate.toLowerCase(), name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  return `the nearest names are ${nearest.map(({ candidate }) => candidate).join(', ')}`;
}

/** Levenshtein distance; a name that contains the other counts as close. */
function editDistance(a: string, b: string): number {
  if (a.includes(b) || b.includes(a)) return Math.abs(a.length - b.length) / 2;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
