import { findOffSources, type Skill, type Skills } from '../../index.ts';
import type { ConsoleContext, ReadAnswer } from '../console-context.ts';
import type { SkillRow } from '../wire/skills.ts';

/** Every copy of every skill, in a line each. */
export const listSkills: ReadAnswer<'skills'> = async ({ skills }) => {
  const copies = skills.copies();
  const toRow = await openRows({ skills }, copies);
  const off = await findOffSources(skills.environment);
  return {
    ok: true,
    skills: copies.map(toRow),
    off: off.map(({ source, path, skills: names }) => ({ source, path, skills: names.length })),
  };
};

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
