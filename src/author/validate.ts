import { validateFolder, type ValidateOptions } from '../parse/strict/validate.ts';
import type { Validation } from '../parse/strict/validation.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { findSkillDirectories } from './skill-path.ts';

/** Validates the skills at a path: a skill's directory, its SKILL.md, or a directory of skills. */
export function validate(path: string, options?: ValidateOptions): readonly Validation[] {
  return findSkillDirectories(path).map((dir) => validateSkill(dir, options));
}

/** Validates the skill in a directory strictly and reports every error, in a stable order. */
export function validateSkill(dir: string, options?: ValidateOptions): Validation {
  return validateFolder(openSkillFolder(dir), options);
}
