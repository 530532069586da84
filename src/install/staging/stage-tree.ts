import { listSome } from '../../model/list-some.ts';
import type { LockedFile } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { digestFolder, type FileDigest } from '../../parse/digest.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { makeStagingFolder, type StagingFolder } from '../../platform/files/staging-folder.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { judgeTree, MAX_PLUGIN_FILE_BYTES, type JudgedFile, type TreeFinding } from './judge-tree.ts';

export interface StageOptions {
  /** The skill's folder in the repository; empty for its root. */
  readonly path: string;
  /** Made by this call, which fails where it is there already; the caller renames or removes it. */
  readonly into: string;
}

export interface StagedSkill {
  readonly dir: string;
  /** `sha256:…` over everything that was written, as read back from the disk. */
  readonly digest: string;
  readonly files: readonly LockedFile[];
  /** What the skill lacks of its folder in the repository. */
  readonly leftOut: readonly TreeFinding[];
}

/** Writes one skill out of a repository, file by file, if all of it may be written. On failure nothing stays. */
export async function stageSkill(repository: Repository, { path, into }: StageOptions): Promise<Outcome<StagedSkill>> {
  const listed = await repository.listTree(path);
  if (!listed.ok) return listed;
  const { files, faults, leftOut } = judgeTree(listed.entries, path);
  if (faults.length > 0) return fail('PATH_REFUSED', `the skill is not installed: ${describe(faults)}`);
  if (files.length === 0) return fail('SKILL_NOT_FOUND', `there are no files in ${path === '' ? 'it' : path}`);
  const made = makeStagingFolder(into);
  if (!made.ok) return made;
  const written = await writeAll(repository, files, made.folder);
  const digest = written.ok ? digestFolder(openSkillFolder(into)) : written;
  if (digest.ok && digest.files.length === files.length)
    return { ok: true, dir: into, digest: digest.digest, files: withRights(digest.files, files), leftOut };
  made.folder.remove();
  return digest.ok ? fail('INSTALL_FAILED', `${into} does not hold what was written to it`) : digest;
}

function withRights(digests: readonly FileDigest[], files: readonly JudgedFile[]): readonly LockedFile[] {
  const executables = new Set(files.flatMap(({ path, executable }) => (executable ? [path.normalize('NFC')] : [])));
  return digests.map(({ path, digest }) => ({ path, digest, executable: executables.has(path) }));
}

async function writeAll(repository: Repository, files: readonly JudgedFile[], folder: StagingFolder): Promise<Outcome> {
  // All are asked for at once, which git answers while we write; together they are no more than one skill may have.
  const blobs = files.map(({ id }) => repository.readBlob(id, MAX_PLUGIN_FILE_BYTES));
  for (const [at, { path, size, executable }] of files.entries()) {
    const blob = (await blobs[at]) ?? fail('INSTALL_FAILED', 'it was not read');
    if (!blob.ok) return fail(blob.code, `${path}: ${blob.message}`);
    if (blob.bytes.length !== size) return fail('INSTALL_FAILED', `${path} changed while it was read`);
    const written = folder.write({ path, bytes: blob.bytes, executable });
    if (!written.ok) return written;
  }
  return { ok: true };
}

const MAX_NAMED = 5;

function describe(faults: readonly TreeFinding[]): string {
  const named = faults.map(({ path, reason }) => (path === '' ? reason : `${show(path)}: ${reason}`));
  return listSome(named, { most: MAX_NAMED, separator: '; ' });
}

/** A path may hold anything, and be as long as it likes. */
function show(path: string): string {
  return JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
}
