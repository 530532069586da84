import type { SkillFolder } from '../../model/folder.ts';
import type { NextStep } from '../../model/next-step.ts';
import type { FrontmatterMap } from '../../model/skill.ts';
import type { TargetId } from '../../model/target-id.ts';

/**
 * The effect of a target on a skill or on a part of it. `refuses`: it does not take the skill. `cuts`: its models see less than there
 * is. `ignores`: something has no effect there.
 */
export type Effect = 'refuses' | 'cuts' | 'ignores';

export interface TargetFinding {
  readonly effect: Effect;
  readonly message: string;
  /** The way to change it. */
  readonly next?: NextStep | undefined;
}

/** A skill as targets look at it. */
export interface TargetSkill {
  readonly folder: SkillFolder;
  /** The name of its folder. */
  readonly id: string;
  /** The name of its SKILL.md on disk. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Its frontmatter as loading reads it; empty if there is none. */
  readonly fields: FrontmatterMap;
}

/** A program or specification, and how it treats skills. */
export interface GivingTarget {
  readonly id: TargetId;
  readonly title: string;
  /** The version in which its rules were seen. */
  readonly seenIn: string;
  judge(skill: TargetSkill): readonly TargetFinding[];
}

export function refuses(message: string, next?: NextStep): TargetFinding {
  return { effect: 'refuses', message, ...(next !== undefined && { next }) };
}
