import { findNear } from '../model/nearest.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';

/** Looks up a skill by exact name, then by id, then by a unique match that ignores case. */
export function findSkill(skills: readonly Skill[], name: string): Outcome<{ readonly skill: Skill }> {
  const folded = name.toLowerCase();
  const skill =
    skills.find((candidate) => candidate.name === name) ??
    skills.find((candidate) => candidate.id === name) ??
    findIgnoringCase(skills, folded);
  if (skill !== undefined) return { ok: true, skill };
  const near = suggest(skills, folded);
  if (near !== undefined) return fail('SKILL_NOT_FOUND', `no skill called "${name}"; ${near}`);
  return fail('SKILL_NOT_FOUND', `no skill called "${name}"`, {
    do: 'search',
    query: name,
  });
}

function findIgnoringCase(skills: readonly Skill[], folded: string): Skill | undefined {
  const alike = skills.filter((skill) => skill.name.toLowerCase() === folded || skill.id.toLowerCase() === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

const SHORT_LIST = 10;

/** Undefined if there are many skills, and no name is near. */
function suggest(skills: readonly Skill[], name: string): string | undefined {
  const names = skills.map((skill) => skill.name);
  if (names.length === 0) return 'there are no skills';
  if (names.length <= SHORT_LIST) return `available: ${names.join(', ')}`;
  const near = findNear(names, name, 3);
  return near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`;
}
