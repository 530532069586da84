import { findOffSources, type Skill, type Skills } from '../../index.ts';
import type { ConsoleContext, ReadAnswer } from '../console-context.ts';
import type { SkillRow, StateCounts } from '../wire/skills.ts';

/** Copies of skills, in a line each: all of them, or the first that the list shows. */
export const listSkills: ReadAnswer<'skills'> = async ({ skills }, { first }) => {
  const copies = skills.copies();
  const listed = first === undefined ? copies : copies.filter(isShown).slice(0, first);
  const toRow = await openRows({ skills }, listed);
  const off = findOffSources(skills);
  return {
    ok: true,
    skills: listed.map(toRow),
    counts: countStates(copies),
    off: off.map(({ source, path, skills: names }) => ({ source, path, skills: names.length })),
  };
};

/** Broken copies want to be seen, whoever has their name. */
function isShown({ shadowedBy, status }: Skill): boolean {
  return shadowedBy === undefined || status === 'broken';
}

function countStates(copies: readonly Skill[]): StateCounts {
  const counts = { enabled: 0, disabled: 0, unavailable: 0, broken: 0, shadowed: 0 };
  for (const { status, shadowedBy } of copies) counts[shadowedBy === undefined ? status : 'shadowed'] += 1;
  return counts;
}

/** Makes rows; what they have in common is read once. */
export async function openRows(
  { skills }: Pick<ConsoleContext, 'skills'>,
  copies: readonly Skill[],
): Promise<(skill: Skill) => SkillRow> {
  const served = await skills.trust.survey(copies);
  return (skill) => {
    const answer = served.get(skill);
    const { file, name, brief, source, status, reasons, tags, pinned, hidden, shadowedBy, shadows } = skill;
    const flaw = skill.diagnostics.find(({ severity }) => severity !== 'info')?.message;
    return {
      file,
      name,
      brief,
      source,
      state: status,
      isTrusted: isTrusted(skills, skill),
      isWithheld: answer === undefined ? null : !answer.ok,
      ...(reasons.length > 0 && { reasons }),
      ...(tags.length > 0 && { tags }),
      ...(pinned && { isPinned: true }),
      ...(hidden && { isHidden: true }),
      ...(shadowedBy !== undefined && { shadowedBy }),
      ...(shadows.length > 0 && { shadows: shadows.length }),
      ...(flaw !== undefined && { flaw }),
    };
  };
}

function isTrusted({ trust }: Skills, skill: Skill): boolean {
  return skill.status !== 'broken' && trust.judge(skill).ok;
}
