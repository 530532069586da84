import type { Diagnostic } from '../model/diagnostic.ts';
import { quoteWord } from '../model/shell-word.ts';
import type { FileStamp, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { readManifest } from '../parse/manifest.ts';
import { placeSkill } from './place-skill.ts';

/** The path of a skill's folder and file; the id is the name of the folder. */
export type SkillPlace = Pick<Skill, 'id' | 'dir' | 'file'>;

/**
 * The record of a folder whose SKILL.md cannot be read or parsed: its id serves as its name, and the reasons say what is
 * wrong, where, and how to fix it.
 */
export function brokenSkill(
  place: SkillPlace,
  { id: source, group, level }: Pick<SourceRoot, 'id' | 'group' | 'level'>,
  diagnostics: readonly Diagnostic[],
  stamp?: FileStamp,
): Skill {
  const nothing = readManifest(new Map(), { ...place, body: '', diagnostics: [], report: () => undefined });
  const reasons = [...diagnostics.map(describeFlaw), describeRemedy({ ...place, diagnostics })];
  return {
    ...placeSkill(nothing, { source, group, level }, stamp),
    diagnostics,
    available: false,
    status: 'broken',
    reasons,
    unavailableReason: reasons[0],
  };
}

function describeFlaw({ line, message }: Diagnostic): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}

/** How to fix a broken skill, with the operation in backticks as in a failure's hint. */
export function describeRemedy({ dir, file, diagnostics }: Pick<Skill, 'dir' | 'file' | 'diagnostics'>): string {
  if (isUnreadable(diagnostics)) return `correct ${file} by hand, since \`fix\` cannot read it either`;
  return `\`fix ${quoteWord(dir)}\` fixes what it can and names what is left to you`;
}

/** Was the file refused or unreadable, so that its content is unknown? */
export function isUnreadable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === 'FILE_REFUSED' || code === 'FILE_UNREADABLE');
}
