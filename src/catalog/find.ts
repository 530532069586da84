import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { sortByNearness } from './nearness.ts';

/** Looks up a skill by exact name, then by id, then by a unique match that ignores case. */
export function findSkill(skills: readonly Skill[], name: string): Outcome<{ readonly skill: Skill }> {
  const folded = name.toLowerCase();
  const skill =
    skills.find((candidate) => candidate.name === name) ??
    skills.find((candidate) => candidate.id === name) ??
    findAlike(skills, folded);
  if (skill !== undefined) return { ok: true, skill };
  return fail('SKILL_NOT_FOUND', `there is no skill "${name}"; ${suggest(skills, folded)}`);
}

function findAlike(skills: readonly Skill[], folded: string): Skill | undefined {
  const alike = skills.filter((skill) => skill.name.toLowerCase() === folded || skill.id.toLowerCase() === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

const SHORT_LIST = 10;

function suggest(skills: readonly Skill[], name: string): string {
  const names = skills.map((skill) => skill.name);
  if (names.length === 0) return 'there are no skills at all';
  if (names.length <= SHORT_LIST) return `there are ${names.join(', ')}`;
  return `the nearest names are ${sortByNearness(names, [name], 3).join(', ')}`;
}
