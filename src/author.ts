/** Writes, checks and repairs skills. */

export { newSkill, isTemplate, type NewSkill, type NewSkillOptions } from './author/new-skill.ts';
export { TEMPLATES } from './author/skill-templates.ts';
export { writeSkill, type Writing, type WriteSkillOptions, type WrittenSkill } from './author/write-skill.ts';
export type { SkillChanges, SkillDraft } from './author/skill-draft.ts';
export type { CreateOptions, RemoveOptions, SkillWriting } from './author/skill-writing.ts';
export type { WriteOptions } from './author/own-skills.ts';
export { fix } from './author/fix-skills.ts';
export { type MendedSkill, type MendSkillOptions } from './author/mend-skill.ts';
export { readProperties, renderPrompt, skillDigest, validate, validateSkill } from './author/validate-path.ts';
export type { FileDigest, SkillDigest } from './parse/digest.ts';
export type { SkillProperties } from './parse/properties.ts';
export type { Finding, ValidateOptions, Validation } from './parse/validate.ts';
