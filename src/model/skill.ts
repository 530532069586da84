import type { Diagnostic } from './diagnostic.ts';
import type { FileStamp } from './folder.ts';
import type { LockedSkill } from './lock.ts';
import type { NextStep } from './next-step.ts';
import type { Origin } from './origin.ts';
import type { SourceLevel } from './source.ts';

/** A frontmatter value; scalars keep their source text, so `version: 1.0` is "1.0". */
export type FrontmatterValue = string | null | readonly FrontmatterValue[] | FrontmatterMap;

/** A frontmatter mapping in file order; a Map, in which no key is special. */
export type FrontmatterMap = ReadonlyMap<string, FrontmatterValue>;

/** A frontmatter value as plain data, for records that are stored and printed. */
export type PlainValue = string | null | readonly PlainValue[] | { readonly [key: string]: PlainValue };

export interface Triggers {
  readonly keywords: readonly string[];
  readonly verbs: readonly string[];
  readonly patterns: readonly string[];
}

/** The normalised content of one SKILL.md, with its place and flaws; nothing of the file is lost. */
export interface SkillDefinition {
  /** The directory's name. */
  readonly id: string;
  /** The frontmatter's `name`, or else `id`. */
  readonly name: string;
  /** Does the file itself give the name? */
  readonly isNamed: boolean;
  /** The first level-1 heading outside code fences, or else `name`. */
  readonly title: string;
  /** With `when_to_use` at its end, if the skill has one. */
  readonly description: string;
  /** One line for lists: `brief_description`, or else the first sentence; at most 80 characters. */
  readonly brief: string;
  /** Estimated tokens of the body: characters / 4, rounded up. */
  readonly tokens: number;
  /** Equal for files with the same frontmatter and body, whatever their line ends; undefined if it could not be read. */
  readonly textDigest?: string | undefined;

  readonly version: string;
  readonly domain: string;
  /** Fields above that the skill does not set, so that they hold a default; undefined if it sets both. */
  readonly defaults?: readonly ('version' | 'domain')[] | undefined;
  readonly tags: readonly string[];
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly allowedTools: readonly string[];

  readonly triggers: Triggers;
  readonly globs: readonly string[];
  /** `always_present` or `alwaysApply`, or listed in the setting `pinned`: always listed. */
  readonly pinned: boolean;
  /** `disable-model-invocation`: never shown to the model. */
  readonly hidden: boolean;
  readonly userInvocable: boolean;
  readonly defaultEnabled: boolean;

  /** "path:Export" references. */
  readonly toolsets: readonly string[];
  /** The declared scripts; undefined means every file in scripts/. */
  readonly scripts: readonly string[] | undefined;
  /** Commands that must be on the PATH. */
  readonly requires: readonly string[];

  readonly creator: string | undefined;
  /** The version of Skillplane that wrote the skill; set on copies of bundled skills. */
  readonly producerVersion: string | undefined;
  /** Every unknown frontmatter field. */
  readonly extra: Readonly<Record<string, PlainValue>>;

  /** Absolute path of the skill's directory, and of its SKILL.md. */
  readonly dir: string;
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * `broken`: its SKILL.md cannot be read or parsed, so only its id and place are known, or it lacks the description that its source
 * requires; the first of its diagnostics says which. `shadowed`: it could be used, but another copy has its name.
 */
export type SkillStatus = 'enabled' | 'disabled' | 'unavailable' | 'broken' | 'shadowed';

/** Another skill of the same name that lost to this one. */
export interface Shadow {
  readonly source: string;
  readonly name: string;
  readonly dir: string;
  readonly file: string;
}

/** Where an installed skill came from, according to its lock. */
export type SkillOrigin = Origin & Pick<LockedSkill, 'path' | 'digest' | 'held'>;

/** A skill in the catalog: its content, where it came from, and its state with reasons. */
export interface Skill extends SkillDefinition {
  readonly source: string;
  readonly group: string;
  readonly level: SourceLevel;
  /** Set on skills that were installed. */
  readonly origin?: SkillOrigin;
  /** The stamp of its SKILL.md when it was read. */
  readonly stamp: FileStamp;
  readonly enabled: boolean;
  readonly available: boolean;
  readonly status: SkillStatus;
  /** Why it is not enabled; empty for an enabled skill. */
  readonly reasons: readonly string[];
  /** How to fix it; set on broken skills only. */
  readonly next?: NextStep;
  /** "missing commands: a, b" if commands of `requires` are missing; what is wrong with a broken skill. */
  readonly unavailableReason?: string | undefined;
  readonly shadows: readonly Shadow[];
  /** Whose preference gave it the name instead of another copy; absent if precedence did. */
  readonly preferredBy?: 'user' | 'project';
  /** The SKILL.md that won the name; set on shadowed copies only. */
  readonly shadowedBy: string | undefined;
}
