import type { SkillFolder } from '../model/folder.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { joinText, openSkillText } from '../parse/skill-text.ts';
import { validateFolder, type ValidateOptions } from '../parse/strict/validate.ts';
import type { Finding, Validation } from '../parse/strict/validation.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import type { StagedFile } from '../platform/files/write-folder.ts';

export interface ValidateTextOptions extends ValidateOptions {
  /** Files that are written with the text. */
  readonly files?: readonly StagedFile[] | undefined;
}

/** Validates a text as if it were the SKILL.md in this directory. */
export function validateText(dir: string, text: string, { files, ...options }: ValidateTextOptions = {}): Validation {
  return validateFolder(folderOf(dir, text, files), options);
}

function folderOf(dir: string, text: string, more: readonly StagedFile[] = []): SkillFolder {
  const folder = openSkillFolder(dir);
  const given = [...more, { path: SKILL_FILE, bytes: Buffer.from(text), executable: false }];
  return {
    dir,
    state: () => 'directory',
    names: () => [SKILL_FILE],
    files() {
      const { files, refused } = folder.files();
      return { files: [...files, ...given.map((file) => ({ ...file, size: file.bytes.length }))], refused };
    },
    read(path, maxBytes) {
      const file = given.find((one) => one.path === path);
      return file === undefined ? folder.read(path, maxBytes) : { ok: true, bytes: file.bytes };
    },
  };
}

export interface TextChange {
  /** The text before it; all errors are new without one. */
  readonly before?: string | undefined;
  readonly files?: readonly StagedFile[] | undefined;
}

/**
 * The errors in `text` that `before` does not have. Broken YAML hides other errors from `validate`, so a broken `before`
 * is also validated as loading reads it.
 */
export function findNewErrors(dir: string, text: string, { before, files }: TextChange = {}): readonly Finding[] {
  const opened = before === undefined ? undefined : openSkillText(before);
  const readable = opened?.ok === true ? joinText(opened.halves) : before;
  const earlier = [before, readable].flatMap((old) => (old === undefined ? [] : validateText(dir, old).errors));
  const known = new Set(earlier.map(keyOf));
  return validateText(dir, text, { files }).errors.filter((error) => !known.has(keyOf(error)));
}

function keyOf({ code, field }: Finding): string {
  return `${code} ${field}`;
}
