import type { SkillFolder } from '../model/folder.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { joinText, openSkillText } from '../parse/skill-text.ts';
import { validateFolder, type Finding, type ValidateOptions, type Validation } from '../parse/validate.ts';

/** Validates a text as if it were the SKILL.md in this directory. */
export function validateText(dir: string, text: string, options?: ValidateOptions): Validation {
  return validateFolder(folderOf(dir, text), options);
}

function folderOf(dir: string, text: string): SkillFolder {
  const bytes = Buffer.from(text);
  return {
    dir,
    state: () => 'directory',
    names: () => [SKILL_FILE],
    files: () => ({ files: [{ path: SKILL_FILE, size: bytes.length, executable: false }], refused: [] }),
    read: () => ({ ok: true, bytes }),
  };
}

/**
 * The errors in `text` that `before` does not have; all of them without a `before`. Broken YAML hides other errors from
 * `validate`, so a broken `before` is also validated as loading reads it.
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
