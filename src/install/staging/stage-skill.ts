import type { Diagnostic } from '../../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import { findNamedFileFaults } from '../../parse/named-files.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import type { TreeFinding } from './judge-tree.ts';
import { stageTree } from './stage-tree.ts';

/** A valid skill in a staging folder, ready to be moved into place. */
export interface StagedSkill {
  readonly dir: string;
  /** Its entry for the lock. */
  readonly entry: LockedSkill;
  readonly skill: SkillDefinition;
  /** Flaws that do not prevent loading. */
  readonly warnings: readonly Diagnostic[];
  /** Entries of the repository's folder that were not written. */
  readonly leftOut: readonly TreeFinding[];
}

export interface StageOptions {
  readonly name: string;
  /** Its folder in the repository. */
  readonly path: string;
  /** Where it comes from, for the lock. */
  readonly origin: Pick<LockedSkill, 'url' | 'ref'>;
  readonly into: string;
  /** Projects require a description. */
  readonly needsDescription: boolean;
}

/** Writes a skill from a repository to a staging folder and checks that it loads. On failure, nothing remains. */
export async function stageSkill(
  repository: Repository,
  { name, path, origin, into, needsDescription }: StageOptions,
): Promise<Outcome<StagedSkill>> {
  const staged = await stageTree(repository, { path, into });
  if (!staged.ok) return fail(staged.code, `${name}: ${staged.message}`, staged.hint);
  const { dir, digest, leftOut } = staged;
  const read = readStaged(dir, needsDescription);
  if (!read.ok) {
    removeTree(dir);
    return fail(read.code, `${name}: ${read.message}`, read.hint);
  }
  const { url, ref } = origin;
  const entry = { name, url, ref, commit: repository.commit, path, digest, files: staged.files };
  return { ok: true, dir, entry, skill: read.skill, warnings: read.warnings, leftOut };
}

/** The skill in a folder on disk, with the bytes of its SKILL.md. */
export function readSkillFolder(
  dir: string,
): Outcome<{ readonly skill: SkillDefinition; readonly file: string; readonly bytes: Uint8Array }> {
  const folder = openSkillFolder(dir);
  const file = findSkillFile(folder.names());
  if (file === undefined) return fail('PARSE_FAILED', 'there is no SKILL.md');
  const content = folder.read(file, MAX_SKILL_FILE_BYTES);
  if (!content.ok) return content;
  const { bytes } = content;
  const parsed = parseSkill(bytes, { dir, file });
  if (!parsed.ok) return fail('PARSE_FAILED', describe(parsed.diagnostics));
  return { ok: true, skill: parsed.skill, file, bytes };
}

function readStaged(
  dir: string,
  needsDescription: boolean,
): Outcome<{ readonly skill: SkillDefinition; readonly warnings: readonly Diagnostic[] }> {
  const read = readSkillFolder(dir);
  if (!read.ok) return read;
  const { skill, file, bytes } = read;
  const errors = skill.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return fail('PARSE_FAILED', describe(errors));
  if (needsDescription && skill.description === '')
    return fail('PARSE_FAILED', 'it has no description, and skills in a project need one');
  // The staging folder has a random name.
  const flaws = skill.diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH');
  const text = Buffer.from(bytes).toString();
  const named = findNamedFileFaults(skill, { text, ...openSkillFolder(dir) });
  const warnings = [
    ...flaws,
    ...named.map(({ code, field, line, message }) => ({
      code,
      severity: 'warning' as const,
      path: file,
      field,
      ...(line !== undefined && { line }),
      message,
    })),
  ];
  return { ok: true, skill, warnings };
}

function describe(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`}: ${message}`)
    .join('; ');
}
