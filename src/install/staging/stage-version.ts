import type { Diagnostic } from '../../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { removeTree } from '../../platform/files/pending-changes.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import type { TreeFinding } from './judge-tree.ts';
import { stageSkill } from './stage-tree.ts';

/** A version of a skill, written out and found valid, that only has to be put in its place. */
export interface StagedVersion {
  readonly dir: string;
  /** What the lock will say of it. */
  readonly entry: LockedSkill;
  readonly skill: SkillDefinition;
  /** Flaws that do not keep it from loading. */
  readonly warnings: readonly Diagnostic[];
  /** What it lacks of its folder in the repository. */
  readonly leftOut: readonly TreeFinding[];
}

export interface VersionOptions {
  readonly name: string;
  /** Its folder in the repository. */
  readonly path: string;
  /** What the lock will say of where it came from. */
  readonly origin: Pick<LockedSkill, 'url' | 'ref'>;
  readonly into: string;
  /** Skills without a description are left out where it goes. */
  readonly needsDescription: boolean;
}

/** Writes a skill out of a repository and reads it as loading would. On failure nothing stays. */
export async function stageVersion(
  repository: Repository,
  { name, path, origin, into, needsDescription }: VersionOptions,
): Promise<Outcome<StagedVersion>> {
  const staged = await stageSkill(repository, { path, into });
  if (!staged.ok) return fail(staged.code, `${name}: ${staged.message}`);
  const { dir, digest, leftOut } = staged;
  const read = readStaged(dir, needsDescription);
  if (!read.ok) {
    removeTree(dir);
    return fail(read.code, `${name}: ${read.message}`);
  }
  const { url, ref } = origin;
  const entry = { name, url, ref, commit: repository.commit, path, digest, files: staged.files };
  return { ok: true, dir, entry, skill: read.skill, warnings: read.warnings, leftOut };
}

function readStaged(
  dir: string,
  needsDescription: boolean,
): Outcome<{ readonly skill: SkillDefinition; readonly warnings: readonly Diagnostic[] }> {
  const folder = openSkillFolder(dir);
  const file = findSkillFile(folder.names());
  if (file === undefined) return fail('PARSE_FAILED', 'there is no SKILL.md');
  const content = folder.read(file, MAX_SKILL_FILE_BYTES);
  if (!content.ok) return content;
  const parsed = parseSkill(content.bytes, { dir, file });
  if (!parsed.ok) return fail('PARSE_FAILED', describe(parsed.diagnostics));
  const { skill } = parsed;
  const errors = skill.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return fail('PARSE_FAILED', describe(errors));
  if (needsDescription && skill.description === '')
    return fail('PARSE_FAILED', 'it has no description, and skills of a project need one');
  // The staging folder is called anything.
  const warnings = skill.diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH');
  return { ok: true, skill, warnings };
}

function describe(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`}: ${message}`)
    .join('; ');
}
