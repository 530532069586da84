/** How many steps the skills of a root may take together. */
export interface StepAllowance {
  readonly base: number;
  readonly perSkill: number;
  readonly most: number;
}

/** Agent Skills specification, field `name`; counted in code points. */
export const MAX_NAME_LENGTH = 64;
/** Agent Skills specification, field `description`; counted in code points. */
export const MAX_DESCRIPTION_LENGTH = 1024;
/** Agent Skills specification, field `compatibility`; counted in code points. */
export const MAX_COMPATIBILITY_LENGTH = 500;
/** Agent Skills specification, "Progressive disclosure": recommended for the instructions of a skill. */
export const MAX_INSTRUCTION_TOKENS = 5_000;
/** The longest `brief`, for lists. */
export const MAX_BRIEF_LENGTH = 80;

/** The longest frontmatter, in bytes. Of 6,409 real ones, the longest has 5,773 bytes. */
export const MAX_FRONTMATTER_BYTES: number = 32 * 1024;
/** The longest frontmatter, in characters, that is examined and repaired if js-yaml does not accept it. The longest real one has 3,367. */
export const MAX_REPAIRED_LENGTH: number = 8 * 1024;
/** The same for all skills of a root together: so many, and more for each skill, up to a limit. A character takes about 4 µs. */
export const ROOT_REPAIRS: StepAllowance = { base: 32 * 1024, perSkill: 1_024, most: 512 * 1024 };
/** Size limits for `config.yaml`: a project's, and a user's own, which lists every plugin. */
export const MAX_CONFIG_BYTES: number = 64 * 1024;
export const MAX_OWN_CONFIG_BYTES: number = 1024 * 1024;
/** Size limit for `skills-lock.yaml`, which lists every file of every installed skill. */
export const MAX_LOCK_BYTES: number = 2 * 1024 * 1024;
/** A larger file of a skill is not installed, and the audit does not read it. */
export const MAX_PLUGIN_FILE_BYTES: number = 5 * 1024 * 1024;
export const MAX_SKILL_FILE_BYTES: number = 1024 * 1024;
/** How many flaws of one SKILL.md are listed; the rest is counted. Of 7,118 real files, none has more than 6. */
export const MAX_LISTED_FLAWS = 32;
/** The largest file that is read from a skill's folder. */
export const MAX_RESOURCE_BYTES: number = 10 * 1024 * 1024;

/** Skills extension of MCP (SEP-2640): limits of one skill, SKILL.md included. */
export const MAX_PUBLISHED_FILES = 512;
export const MAX_PUBLISHED_BYTES: number = 16 * 1024 * 1024;

/** The most files that a skill's digest covers. */
export const MAX_SKILL_FILES = 10_000;
export const MAX_FOLDER_DEPTH = 32;
/** The most directories in one source root. */
export const MAX_SKILLS_PER_ROOT = 100_000;
/** Limits of the search for `skills` folders of installed plugins. */
export const MAX_TREE_DEPTH = 6;
export const MAX_TREE_DIRECTORIES = 2_000;

/** Skills of sources that are no directories are in memory: the most bytes of one, and of all that a source has. */
export const MAX_SOURCE_SKILL_BYTES: number = 32 * 1024 * 1024;
export const MAX_SOURCE_BYTES: number = 256 * 1024 * 1024;
/** How long a call of a source may take by default, and how many times that a whole scan. */
export const SOURCE_TIMEOUT_MS = 10_000;
export const SOURCE_SCAN_FACTOR = 6;

/** How many levels up to look for AGENTS.md files. */
export const MAX_CONTEXT_LEVELS = 20;
/** How much of an AGENTS.md file is used, in characters. */
export const MAX_CONTEXT_LENGTH: number = 32 * 1024;

/** How much of a message is searched for triggers; of a longer one, its beginning and end in equal parts. */
export const MAX_MESSAGE_LENGTH: number = 64 * 1024;

/** Regular expressions of one skill: their number, and the length of each. */
export const MAX_PATTERNS = 32;
export const MAX_PATTERN_LENGTH = 512;
/** Their total length with repetitions written out. */
export const MAX_PATTERN_STEPS: number = MAX_PATTERNS * MAX_PATTERN_LENGTH;
/** The same for all skills' patterns together, shared evenly; the unused part of a share goes to the others. */
export const ROOT_PATTERNS: StepAllowance = { base: 16 * 1024, perSkill: 512, most: 64 * 1024 };
/** How much of a message they search. */
export const MAX_PATTERN_SUBJECT_LENGTH: number = 8 * 1024;
/** Steps times characters: patterns of more than 512 steps search less of a long message, so that none is slow. */
export const MAX_PATTERN_WORK: number = 512 * MAX_PATTERN_SUBJECT_LENGTH;
/** The same for all skills' patterns together, shared evenly; the unused part of a share goes to the others. */
export const MAX_MESSAGE_WORK: number = 2 * MAX_PATTERN_WORK;
/** The memory that the pattern engine may keep between messages. */
export const MAX_PATTERN_MEMORY_BYTES: number = 512 * 1024;

/** Arguments of a script and its output, in bytes; more output ends the script. */
export const MAX_SCRIPT_ARGUMENTS = 100;
export const MAX_SCRIPT_ARGUMENT_BYTES = 4_096;
export const MAX_SCRIPT_OUTPUT_BYTES: number = 1024 * 1024;
