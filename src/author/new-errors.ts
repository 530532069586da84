import type { SkillFolder } from '../model/folder.ts';
import { validateSkill, type Finding, type ValidateOptions, type Validation } from '../parse/validate.ts';

/** What is wrong with the text of a SKILL.md that was not wrong before; nothing was where there is no before. */
export function findNewErrors(dir: string, text: string, before?: string): readonly Finding[] {
  const known = new Set(
    before === undefined ? [] : validateText(dir, before).errors.map(({ code, field }) => `${code} ${field}`),
  );
  return validateText(dir, text).errors.filter(({ code, field }) => !known.has(`${code} ${field}`));
}

/** Judges the text as if it were the SKILL.md in this directory. */
export function validateText(dir: string, text: string, options?: ValidateOptions): Validation {
  return validateSkill(folderOf(dir, text), options);
}

function folderOf(dir: string, text: string): SkillFolder {
  const bytes = Buffer.from(text);
  return {
    dir,
    state: () => 'directory',
    names: () => ['SKILL.md'],
    files: () => ({ files: [{ path: 'SKILL.md', size: bytes.length, executable: false }], refused: [] }),
    read: () => ({ ok: true, bytes }),
  };
}
