/** Writes, checks and fixes skills. */

export { newSkill, isTemplate, type NewSkill, type NewSkillOptions } from './author/new-skill.ts';
export { TEMPLATES, type NextStep, type TemplateName } from './author/skill-templates.ts';
export { writeSkill, type Writing, type WriteSkillOptions, type WrittenSkill } from './author/write-skill.ts';
export type { SkillChanges, SkillDraft } from './author/skill-draft.ts';
export type { CreateOptions, RemoveOptions, SkillWriting } from './author/skill-writing.ts';
export type { WriteOptions } from './author/own-skills.ts';
export { fix, type FixedSkill, type FixOptions } from './author/fix.ts';
export type { Fix } from './author/fix-fields.ts';
export { validate, validateSkill } from './author/validate.ts';
export { readProperties, skillDigest, toPrompt } from './author/read-skill.ts';
export type { FileDigest, SkillDigest } from './parse/digest.ts';
export type { SkillProperties } from './parse/properties.ts';
export type { Finding, ValidateOptions, Validation } from './parse/validate.ts';
