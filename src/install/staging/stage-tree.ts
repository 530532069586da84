import { listSome } from '../../model/list-some.ts';
import type { LockedFile } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { digestFolder, type FileDigest } from '../../parse/digest.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { makeStagingFolder, type StagingFolder } from '../../platform/files/staging-folder.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { judgeTree, MAX_PLUGIN_FILE_BYTES, type JudgedFile, type TreeFinding } from './judge-tree.ts';

export interface StageTreeOptions {
  /** The skill's folder in the repository; empty for the root. */
  readonly path: string;
  /** The folder to create; it must not exist yet. The caller renames or removes it. */
  readonly into: string;
}

/** A folder of a repository, written to disk. */
export interface StagedTree {
  readonly dir: string;
  /** `sha256:…` of all files as read back from disk. */
  readonly digest: string;
  readonly files: readonly LockedFile[];
  /** Entries of the repository's folder that were not written. */
  readonly leftOut: readonly TreeFinding[];
}

/** Writes a folder of a repository to disk if all of its files may be written. On failure, nothing remains. */
export async function stageTree(
  repository: Repository,
  { path, into }: StageTreeOptions,
): Promise<Outcome<StagedTree>> {
  const listed = await repository.listTree(path);
  if (!listed.ok) return listed;
  const { files, faults, leftOut } = judgeTree(listed.entries, path);
  if (faults.length > 0) return fail('PATH_REFUSED', `the skill is not installed: ${describe(faults)}`);
  if (files.length === 0)
    return fail('SKILL_NOT_FOUND', `there are no files in ${path === '' ? 'the repository' : path}`);
  const made = makeStagingFolder(into);
  if (!made.ok) return made;
  const written = await writeAll(repository, files, made.folder);
  const digest = written.ok ? digestFolder(openSkillFolder(into)) : written;
  if (digest.ok && digest.files.length === files.length)
    return { ok: true, dir: into, digest: digest.digest, files: withRights(digest.files, files), leftOut };
  made.folder.remove();
  return digest.ok ? fail('INSTALL_FAILED', `${into} does not hold what was written to it`) : digest;
}

/** Joins the digests of files with their executable bits. */
export function withRights(
  digests: readonly FileDigest[],
  files: readonly Pick<JudgedFile, 'path' | 'executable'>[],
): readonly LockedFile[] {
  const executables = new Set(files.flatMap(({ path, executable }) => (executable ? [path.normalize('NFC')] : [])));
  return digests.map(({ path, digest }) => ({ path, digest, executable: executables.has(path) }));
}

async function writeAll(repository: Repository, files: readonly JudgedFile[], folder: StagingFolder): Promise<Outcome> {
  // All blobs are requested at once, so that git reads while we write; judgeTree has limited their total size.
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

/** Paths are hostile: quoted and cut. */
function show(path: string): string {
  return JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
}
