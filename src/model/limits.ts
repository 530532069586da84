/** Agent Skills specification, field `name`; counted in code points. */
export const MAX_NAME_LENGTH = 64;
/** Agent Skills specification, field `description`; counted in code points. */
export const MAX_DESCRIPTION_LENGTH = 1024;
/** Agent Skills specification, field `compatibility`; counted in code points. */
export const MAX_COMPATIBILITY_LENGTH = 500;
/** The longest `brief`, for lists. */
export const MAX_BRIEF_LENGTH = 80;

/** YAML parsing is quadratic in the number of keys: cap before parsing. */
export const MAX_FRONTMATTER_BYTES: number = 64 * 1024;
/** The same of a project's `config.yaml`, and of a user's own, which lists every plugin. */
export const MAX_CONFIG_BYTES: number = 64 * 1024;
export const MAX_OWN_CONFIG_BYTES: number = 1024 * 1024;
/** The same of `skills-lock.yaml`, which lists every file of every installed skill. */
export const MAX_LOCK_BYTES: number = 2 * 1024 * 1024;
export const MAX_SKILL_FILE_BYTES: number = 1024 * 1024;
/** The largest single file that is read out of a skill's folder. */
export const MAX_RESOURCE_BYTES: number = 10 * 1024 * 1024;

/** Skills extension of MCP (SEP-2640): what one skill may have, its SKILL.md included. */
export const MAX_PUBLISHED_FILES = 512;
export const MAX_PUBLISHED_BYTES: number = 16 * 1024 * 1024;

/** How many files one skill's digest covers at most; more is not a skill but an archive. */
export const MAX_SKILL_FILES = 10_000;
export const MAX_FOLDER_DEPTH = 32;
/** How many directories one source root may hold. */
export const MAX_SKILLS_PER_ROOT = 100_000;
/** Bounds of the walk that looks for `skills` folders of installed plugins. */
export const MAX_TREE_DEPTH = 6;
export const MAX_TREE_DIRECTORIES = 2_000;

/** How far up AGENTS.md files are looked for (seed: 20 levels). */
export const MAX_CONTEXT_LEVELS = 20;

/** How much of a message is looked at for triggers: of a longer one the beginning and the end, in equal parts. */
export const MAX_MESSAGE_LENGTH: number = 64 * 1024;

/** Regular expressions of one skill: how many, and how long each. */
export const MAX_PATTERNS = 32;
export const MAX_PATTERN_LENGTH = 512;
/** With repetitions written out they may be no longer, all together. */
export const MAX_PATTERN_STEPS: number = MAX_PATTERNS * MAX_PATTERN_LENGTH;
/** How much of a message they read. */
export const MAX_PATTERN_SUBJECT_LENGTH: number = 8 * 1024;
/** Steps times characters: patterns of more than 512 steps read less of a long message, so that none makes it slow. */
export const MAX_PATTERN_WORK: number = 512 * MAX_PATTERN_SUBJECT_LENGTH;
/** What the engine may remember of them from one message to the next. */
export const MAX_PATTERN_MEMORY_BYTES: number = 512 * 1024;

/** What a script may be given and may say, in bytes; more ends it. */
export const MAX_SCRIPT_ARGUMENTS = 100;
export const MAX_SCRIPT_ARGUMENT_BYTES = 4_096;
export const MAX_SCRIPT_OUTPUT_BYTES: number = 1024 * 1024;
