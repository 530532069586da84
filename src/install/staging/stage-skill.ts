import { auditFiles, type Audit } from '../../audit/audit-files.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import type { FileContent } from '../../parse/digest.ts';
import { findNamedFileFaults } from '../../parse/named-files.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import type { SyncQueue } from '../../platform/files/sync-queue.ts';
import type { OpenOrigin } from '../origins/origin-kind.ts';
import type { TreeFinding } from './judge-tree.ts';
import type { NameConflict } from './name-conflicts.ts';
import { parseOnce } from './parse-once.ts';
import { readTree, stageTree } from './stage-tree.ts';

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
  /** The skill elsewhere that it hides, or that hides it. */
  readonly conflict?: NameConflict | undefined;
}

export interface StageOptions {
  readonly name: string;
  /** Its folder in the origin. */
  readonly path: string;
  /** The folder to stage it in. */
  readonly into: string;
  /** Projects require a description. */
  readonly needsDescription: boolean;
}

/** A valid skill in memory, with its files. Nothing is written yet. */
export interface FetchedSkill extends StagedSkill {
  readonly contents: readonly FileContent[];
}

/** Reads a skill from an origin and checks that it may be written and loads. */
export async function fetchSkill(
  { files: repository, originOf }: Pick<OpenOrigin, 'files' | 'originOf'>,
  { name, path, into, needsDescription }: StageOptions,
): Promise<Outcome<FetchedSkill>> {
  const tree = await readTree(repository, path);
  if (!tree.ok) return fail(tree.code, `${name}: ${tree.message}`, tree.hint);
  const { digest, files, contents, leftOut } = tree;
  const read = readContents(contents, into, needsDescription);
  if (!read.ok) return fail(read.code, `${name}: ${read.message}`, read.hint);
  const chosen = originOf(path);
  if (!chosen.ok) return chosen;
  const entry = { name, origin: chosen.origin, path: chosen.path ?? path, digest, files };
  return { ok: true, dir: into, entry, skill: read.skill, warnings: read.warnings, leftOut, contents };
}

/** Writes a skill to its staging folder. On failure, nothing remains. */
export function stageSkill({ contents, ...staged }: FetchedSkill, sync?: SyncQueue): Outcome<StagedSkill> {
  const written = stageTree({ contents }, { into: staged.dir, sync });
  if (written.ok) return { ok: true, ...staged };
  return fail(written.code, `${staged.entry.name}: ${written.message}`, written.hint);
}

/** Audits the files of a skill in memory. */
export function auditFetched({ contents, skill }: FetchedSkill): Promise<Audit> {
  const files = contents.map(({ path, executable, bytes }) => {
    return { path, executable, size: bytes.length, read: async () => ({ ok: true, bytes }) as const };
  });
  return auditFiles({ files, refused: [], skill });
}

/** The skill in a folder on disk. */
export function readSkillFolder(dir: string): Outcome<{ readonly skill: SkillDefinition }> {
  const folder = openSkillFolder(dir);
  const file = findSkillFile(folder.names());
  if (file === undefined) return fail('PARSE_FAILED', 'there is no SKILL.md');
  const content = folder.read(file, MAX_SKILL_FILE_BYTES);
  if (!content.ok) return content;
  const parsed = parseSkill(content.bytes, { dir, file });
  return parsed.ok ? { ok: true, skill: parsed.skill } : fail('PARSE_FAILED', describe(parsed.diagnostics));
}

function readContents(
  contents: readonly FileContent[],
  dir: string,
  needsDescription: boolean,
): Outcome<{ readonly skill: SkillDefinition; readonly warnings: readonly Diagnostic[] }> {
  const file = findSkillFile(contents.map(({ path }) => path).filter((path) => !path.includes('/')));
  const bytes = contents.find(({ path }) => path === file)?.bytes;
  if (file === undefined || bytes === undefined) return fail('PARSE_FAILED', 'there is no SKILL.md');
  if (bytes.length > MAX_SKILL_FILE_BYTES)
    return fail('PATH_REFUSED', `it is larger than ${MAX_SKILL_FILE_BYTES} bytes`);
  const parsed = parseOnce(bytes, { dir, file });
  if (!parsed.ok) return fail('PARSE_FAILED', describe(parsed.diagnostics));
  const { skill } = parsed;
  const errors = skill.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return fail('PARSE_FAILED', describe(errors));
  if (needsDescription && skill.description === '')
    return fail('PARSE_FAILED', 'it has no description, and skills in a project need one');
  // The staging folder has a random name.
  const flaws = skill.diagnostics.filter(({ code }) => code !== 'NAME_MISMATCH');
  return { ok: true, skill, warnings: [...flaws, ...findNamingFlaws(skill, { file, bytes, contents })] };
}

interface ManifestContent {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly contents: readonly FileContent[];
}

function findNamingFlaws(skill: SkillDefinition, { file, bytes, contents }: ManifestContent): readonly Diagnostic[] {
  const files = contents.map((one) => ({ path: one.path, size: one.bytes.length, executable: one.executable }));
  const text = Buffer.from(bytes).toString();
  const faults = findNamedFileFaults(skill, { text, files: () => ({ files, refused: [] }) });
  return faults.map(({ code, field, line, message }) => ({
    code,
    severity: 'warning' as const,
    path: file,
    field,
    ...(line !== undefined && { line }),
    message,
  }));
}

function describe(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`}: ${message}`)
    .join('; ');
}
