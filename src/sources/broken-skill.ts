import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp } from '../model/folder.ts';
import type { NextStep } from '../model/next-step.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { readManifest } from '../parse/manifest.ts';
import { placeSkill } from './place-skill.ts';

/** The path of a skill's folder and file; the id is the name of the folder. */
export type SkillPlace = Pick<Skill, 'id' | 'dir' | 'file'>;

/**
 * The record of a folder whose SKILL.md cannot be read or parsed: its id serves as its name, the reasons say what is
 * wrong and where, and `next` how to fix it.
 */
export function brokenSkill(
  place: SkillPlace,
  { id: source, group, level }: Pick<SourceRoot, 'id' | 'group' | 'level'>,
  flaw: Diagnostic,
  stamp?: FileStamp,
): Skill {
  const nothing = readManifest(new Map(), { ...place, body: '', diagnostics: [], report: () => undefined });
  return markBroken(placeSkill(nothing, { source, group, level }, stamp), flaw);
}

/** The same skill, but not usable because of this flaw, which becomes the first of its diagnostics. */
export function markBroken(skill: Skill, flaw: Diagnostic): Skill {
  const diagnostics = [flaw, ...skill.diagnostics];
  const reason = flaw.line === undefined ? flaw.message : `line ${flaw.line}: ${flaw.message}`;
  return {
    ...skill,
    diagnostics,
    available: false,
    status: 'broken',
    reasons: [reason],
    unavailableReason: reason,
    next: repairOf({ ...skill, diagnostics }),
  };
}

/** How to fix a broken skill; `fix` cannot read an unreadable one either. */
export function repairOf(skill: Pick<Skill, 'dir' | 'file' | 'diagnostics' | 'source'>): NextStep {
  const { dir, file, diagnostics } = skill;
  if (isFromSource(skill)) return { advice: `Correct the skill in its source, ${skill.source}.` };
  if (isUnreadable(diagnostics)) return { edit: file };
  if (diagnostics[0]?.code === 'DESCRIPTION_MISSING')
    return { advice: `Write a description into ${file}: when to use the skill, and for what.` };
  return { do: 'fix', path: dir };
}

/** Was the file refused or unreadable, so that its content is unknown? */
export function isUnreadable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === 'FILE_REFUSED' || code === 'FILE_UNREADABLE');
}
