import { MAX_PLUGIN_FILE_BYTES } from '../../model/limits.ts';
import { listSome } from '../../model/list-some.ts';
import type { LockedFile } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { digestFiles, type FileContent, type FileDigest } from '../../parse/digest.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import { judgeTree, type JudgedFile, type TreeFinding } from './judge-tree.ts';

/** A folder of a repository in memory, judged: it may be written to any disk. */
export interface TreeContent {
  readonly contents: readonly FileContent[];
  /** `sha256:…` of all files. */
  readonly digest: string;
  readonly files: readonly LockedFile[];
  /** Entries of the repository's folder that are not part of it. */
  readonly leftOut: readonly TreeFinding[];
}

/** Reads a folder of a repository if all of its files may be written; `path` is empty for the root. */
export async function readTree(repository: Repository, path: string): Promise<Outcome<TreeContent>> {
  const listed = await repository.listTree(path);
  if (!listed.ok) return listed;
  const { files, faults, leftOut } = judgeTree(listed.entries, path);
  if (faults.length > 0) return fail('PATH_REFUSED', `the skill is not installed: ${describe(faults)}`);
  if (files.length === 0) return fail('SKILL_NOT_FOUND', `no files in ${path === '' ? 'the repository' : path}`);
  const read = await readAll(repository, files);
  if (!read.ok) return read;
  const { contents } = read;
  const digest = digestFiles(contents);
  if (!digest.ok) return digest;
  return { ok: true, contents, digest: digest.digest, files: withRights(digest.files, files), leftOut };
}

/** Joins the digests of files with their executable bits. */
export function withRights(
  digests: readonly FileDigest[],
  files: readonly Pick<JudgedFile, 'path' | 'executable'>[],
): readonly LockedFile[] {
  const executables = new Set(files.flatMap(({ path, executable }) => (executable ? [path.normalize('NFC')] : [])));
  return digests.map(({ path, digest }) => ({ path, digest, executable: executables.has(path) }));
}

async function readAll(
  repository: Repository,
  files: readonly JudgedFile[],
): Promise<Outcome<{ readonly contents: readonly FileContent[] }>> {
  const contents: FileContent[] = [];
  for (const { path, id, size, executable } of files) {
    const blob = await repository.readBlob(id, MAX_PLUGIN_FILE_BYTES);
    if (!blob.ok) return fail(blob.code, `${path}: ${blob.message}`);
    if (blob.bytes.length !== size) return fail('INSTALL_FAILED', `${path} changed while it was read`);
    contents.push({ path, executable, bytes: blob.bytes });
  }
  return { ok: true, contents };
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
