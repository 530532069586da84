import { findNear } from '../model/nearest.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { quoteWord } from '../model/shell-word.ts';
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
  if (near !== undefined) return fail('SKILL_NOT_FOUND', `there is no skill "${name}"; ${near}`);
  const hint = `Find skills by what they do with \`search ${quoteWord(name)}\`.`;
  return fail('SKILL_NOT_FOUND', `none of the ${skills.length} skills is called "${name}" or nearly so`, hint);
}

function findIgnoringCase(skills: readonly Skill[], folded: string): Skill | undefined {
  const alike = skills.filter((skill) => skill.name.toLowerCase() === folded || skill.id.toLowerCase() === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

const SHORT_LIST = 10;

/** Undefined if there are many skills, and no name is near. */
function suggest(skills: readonly Skill[], name: string): string | undefined {
  const names = skills.map((skill) => skill.name);
  if (names.length === 0) return 'there are no skills at all';
  if (names.length <= SHORT_LIST) return `there are ${names.join(', ')}`;
  const near = findNear(names, name, 3);
  return near.length === 0 ? undefined : `the nearest names are ${near.join(', ')}`;
}
