import { basename } from 'node:path';

import { openSkillPath } from '../../author/skill-path.ts';
import type { SkillFolder } from '../../model/folder.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import { TARGET_IDS, type TargetId } from '../../model/target-id.ts';
import { normalizeText, readFrontmatter } from '../../parse/frontmatter.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { TARGETS } from './all-targets.ts';
import { refuses, type Effect, type GivingTarget, type TargetFinding } from './target.ts';

/** The verdict of one target on a skill. */
export interface TargetVerdict extends Pick<GivingTarget, 'id' | 'title' | 'seenIn'> {
  /** The worst of the findings; `accepts` without any. */
  readonly verdict: 'accepts' | Effect;
  readonly findings: readonly TargetFinding[];
}

export interface JudgeOptions {
  /** The targets to ask; by default, all. */
  readonly for?: readonly TargetId[] | undefined;
}

/**
 * For each target: whether it accepts a skill, and what it truncates and ignores. The path is the skill's folder or its
 * SKILL.md.
 */
export function judgeForTargets(path: string, options?: JudgeOptions): readonly TargetVerdict[] {
  return judgeFolder(openSkillPath(path), options);
}

/** The same for a folder on disk or in memory. */
export function judgeFolder(
  folder: SkillFolder,
  { for: ids = TARGET_IDS }: JudgeOptions = {},
): readonly TargetVerdict[] {
  const file = findSkillFile(folder.names());
  const read = file === undefined ? undefined : folder.read(file, MAX_SKILL_FILE_BYTES);
  return TARGETS.filter(({ id }) => ids.includes(id)).map((target) => {
    if (file === undefined || read === undefined) return toVerdict(target, [refuses('it has no SKILL.md')]);
    if (!read.ok) return toVerdict(target, [refuses(`${file} cannot be read: ${read.message}`)]);
    const { map = new Map() } = readFrontmatter(normalizeText(Buffer.from(read.bytes).toString()));
    return toVerdict(target, target.judge({ folder, id: basename(folder.dir), file, bytes: read.bytes, fields: map }));
  });
}

const EFFECTS: readonly Effect[] = ['refuses', 'cuts', 'ignores'];

function toVerdict({ id, title, seenIn }: GivingTarget, findings: readonly TargetFinding[]): TargetVerdict {
  const verdict = EFFECTS.find((effect) => findings.some((finding) => finding.effect === effect)) ?? 'accepts';
  return { id, title, seenIn, verdict, findings };
}
