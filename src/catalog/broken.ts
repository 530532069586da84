import { fail, type Failure } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { isUnreadable, repairOf } from '../sources/broken-skill.ts';
import { findSkill } from './find.ts';

/** Is this a folder whose SKILL.md cannot be read or parsed, or lacks the description that its source requires? */
export function isBroken({ status }: Pick<Skill, 'status'>): boolean {
  return status === 'broken';
}

/** Finds a broken skill that the configuration does not disable, by its name in any case. */
export function findBroken(skills: readonly Skill[], name: string): Skill | undefined {
  const broken = skills.filter((skill) => isBroken(skill) && skill.enabled);
  const found = broken.length === 0 ? undefined : findSkill(broken, name);
  return found?.ok === true ? found.skill : undefined;
}

/** Why a broken skill cannot be used: what is wrong, on which line, and how to fix it. */
export function failBroken(skill: Skill): Failure {
  const { name, file, diagnostics } = skill;
  const [flaw] = diagnostics;
  const place = flaw?.line === undefined ? file : `${file}:${flaw.line}`;
  return fail(
    isUnreadable(diagnostics) ? 'STORE_FAILED' : 'PARSE_FAILED',
    `cannot read "${name}": ${place}: ${flaw?.message ?? 'it cannot be used'}`,
    repairOf(skill),
  );
}
