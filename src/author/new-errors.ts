import type { SkillFolder } from '../model/folder.ts';
import { joinText, openSkillText } from '../parse/skill-text.ts';
import { validateSkill, type Finding, type ValidateOptions, type Validation } from '../parse/validate.ts';

/**
 * What is wrong with the text of a SKILL.md that was not wrong before; nothing was where there is no before. Of broken
 * YAML `validate` says no more than that: what it hid was wrong before, too.
 */
export function findNewErrors(dir: string, text: string, before?: string): readonly Finding[] {
  const opened = before === undefined ? undefined : openSkillText(before);
  const readable = opened?.ok === true ? joinText(opened.halves) : before;
  const earlier = [before, readable].flatMap((old) => (old === undefined ? [] : validateText(dir, old).errors));
  const known = new Set(earlier.map(keyOf));
  return validateText(dir, text).errors.filter((error) => !known.has(keyOf(error)));
}

function keyOf({ code, field }: Finding): string {
  return `${code} ${field}`;
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
