/** Writes, checks and fixes skills. */

/** Creates a skill from a template. */
export { newSkill, isTemplate, type NewSkill, type NewSkillOptions } from './author/new-skill.ts';
export { TEMPLATES, type NextStep, type TemplateName } from './author/skill-templates.ts';
/** Writes one skill into a directory of skills. `skills.writing` of an engine does the same and finds the directory. */
export { writeSkill, type Writing, type WriteSkillOptions, type WrittenSkill } from './author/write-skill.ts';
export type { SkillChanges, SkillDraft } from './author/skill-draft.ts';
export type { CreateOptions, RemoveOptions, SkillWriting } from './author/skill-writing.ts';
export type { WriteOptions } from './author/own-skills.ts';
/** Makes a skill always listed for models, or takes that back. */
export { pin, unpin, type PinChange, type PinSkillOptions } from './author/pin.ts';
/** Checks skills against the specification, and fixes what has exactly one right form. */
export { validate, validateSkill } from './author/validate.ts';
export type { ValidateOptions } from './parse/strict/validate.ts';
export type { Finding, Validation } from './parse/strict/validation.ts';
export { fix, type FixedSkill, type FixOptions } from './author/fix.ts';
export type { Fix } from './author/fix-fields.ts';
/** Reads one skill as the reference tool of the Agent Skills specification does, and hashes its files. */
export { readProperties, skillDigest, toPrompt } from './author/read-skill.ts';
export type { SkillProperties } from './parse/strict/strict-fields.ts';
export type { FileDigest, SkillDigest } from './parse/digest.ts';
