import type { Diagnostic } from '../../model/diagnostic.ts';
import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { SkillDefinition } from '../../model/skill.ts';
import type { FileContent } from '../../parse/digest.ts';
import { findNamedFileFaults } from '../../parse/named-files.ts';
import { parseSkill } from '../../parse/parse-skill.ts';
import { findSkillFile } from '../../parse/skill-file.ts';
import { writeFiles } from '../../platform/files/write-folder.ts';
import type { AuditedSkill, AuditGate, InstalledVersion } from '../audit-gate.ts';
import type { ChangeContext } from '../changes/skill-change.ts';
import type { InstallPlace } from '../install-place.ts';
import type { OpenOrigin } from '../origins/origin-kind.ts';
import type { TreeFinding } from './judge-tree.ts';
import { readTree } from './read-tree.ts';

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

/** A valid skill in memory, with its files. Nothing is written yet. */
export interface FetchedSkill extends StagedSkill {
  readonly contents: readonly FileContent[];
}

/** A staged skill with its audit. */
export type PreparedSkill = StagedSkill & AuditedSkill;

/** The files of an origin, and its fields for the lock file. */
export type OriginFiles = Pick<OpenOrigin, 'files' | 'originOf' | 'expect'>;

/** The name to install it under, and its folder in the origin. */
type WantedEntry = Pick<LockedSkill, 'name' | 'path'>;

export interface PrepareContext extends ChangeContext {
  readonly gate: AuditGate;
}

/** Fetches a skill, judges and audits it, and writes it to a staging folder. On failure, nothing remains. */
export async function prepareSkill(
  origin: OriginFiles,
  wanted: WantedEntry,
  context: PrepareContext,
): Promise<Outcome<PreparedSkill>> {
  const fetched = await fetchSkill(origin, wanted, context);
  return fetched.ok ? stageSkill(fetched, context) : fetched;
}

/** The first half of `prepareSkill`: the skill in memory, which may be written to any disk and loads. */
export async function fetchSkill(
  { files: repository, originOf }: OriginFiles,
  { name, path }: WantedEntry,
  { place, work }: Pick<ChangeContext, 'place' | 'work'>,
): Promise<Outcome<FetchedSkill>> {
  const tree = await readTree(repository, path);
  if (!tree.ok) return fail(tree.code, `${name}: ${tree.message}`, tree.next);
  const { digest, files, contents, leftOut } = tree;
  const dir = work.newPath();
  const read = readContents(contents, dir, place);
  if (!read.ok) return fail(read.code, `${name}: ${read.message}`, read.next);
  const chosen = originOf(path);
  if (!chosen.ok) return chosen;
  const entry = { name, origin: chosen.origin, path: chosen.path ?? path, digest, files };
  return { ok: true, dir, entry, skill: read.skill, warnings: read.warnings, leftOut, contents };
}

/** The second half: audits a skill and writes it to its staging folder. `installed` is the version that it replaces. */
export async function stageSkill(
  fetched: FetchedSkill,
  { gate }: Pick<PrepareContext, 'gate'>,
  installed?: InstalledVersion,
): Promise<Outcome<PreparedSkill>> {
  const audited = await gate.audit(fetched, installed);
  if (!audited.ok) return audited;
  const { contents, ...skill } = fetched;
  const written = writeFiles(skill.dir, contents);
  if (!written.ok) return fail(written.code, `${skill.entry.name}: ${written.message}`, written.next);
  return { ...audited, ...skill };
}

function readContents(
  contents: readonly FileContent[],
  dir: string,
  { scope }: Pick<InstallPlace, 'scope'>,
): Outcome<{ readonly skill: SkillDefinition; readonly warnings: readonly Diagnostic[] }> {
  const file = findSkillFile(contents.map(({ path }) => path).filter((path) => !path.includes('/')));
  const bytes = contents.find(({ path }) => path === file)?.bytes;
  if (file === undefined || bytes === undefined) return fail('PARSE_FAILED', 'no SKILL.md');
  if (bytes.length > MAX_SKILL_FILE_BYTES)
    return fail('PATH_REFUSED', `it is larger than ${MAX_SKILL_FILE_BYTES} bytes`);
  const parsed = parseSkill(bytes, { dir, file });
  if (!parsed.ok) return fail('PARSE_FAILED', describe(parsed.diagnostics));
  const { skill } = parsed;
  const errors = skill.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return fail('PARSE_FAILED', describe(errors));
  if (scope === 'project' && skill.description === '')
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
