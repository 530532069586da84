import type { RefusedEntry, SkillFolder } from '../model/folder.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import type { FileContent } from '../parse/digest.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { openListing, openWholeFolder } from '../platform/repository/folder-repository.ts';
import { openFiles, type Repository, type TreeEntry } from '../platform/repository/repository.ts';
import { auditFiles, type Audit } from './audit-files.ts';

/** Audits a folder of a repository, whether it is a skill or not. Writes nothing, runs nothing. */
export async function auditRepository(repository: Repository, path = ''): Promise<Outcome<{ readonly audit: Audit }>> {
  const listed = await repository.listTree(path);
  if (!listed.ok) return listed;
  if (listed.entries.length === 0) return fail('SKILL_NOT_FOUND', `no files in ${path === '' ? 'it' : path}`);
  return { ok: true, audit: await auditEntries(repository, listed.entries, { path }) };
}

/** Audits a folder on disk, with the hooks and settings of git in it. */
export async function auditFolder(dir: string): Promise<Outcome<{ readonly audit: Audit }>> {
  const realDir = realPath(dir);
  return realDir !== undefined && listDirectory(realDir).state === 'listed'
    ? auditRepository(openWholeFolder(realDir))
    : fail('SKILL_NOT_FOUND', `${dir} is not a readable folder`);
}

/** Audits the folder of a skill that may be anywhere. */
export function auditSkillFolder(folder: SkillFolder): Promise<Outcome<{ readonly audit: Audit }>> {
  return auditRepository(openListing(folder.files(), (path, maxBytes) => folder.read(path, maxBytes)));
}

/** Audits files in memory. `skill` is the one in their SKILL.md, if the caller has parsed it already. */
export async function auditContents(contents: readonly FileContent[], skill?: SkillDefinition): Promise<Audit> {
  const byPath = new Map(contents.map(({ path, bytes }) => [path, bytes]));
  const files = contents.map(({ path, executable, bytes }) => {
    return { path, executable, kind: 'file' as const, size: bytes.length, id: path };
  });
  const repository = openFiles(files, (path, maxBytes) => {
    const bytes = byPath.get(path);
    if (bytes === undefined || bytes.length > maxBytes)
      return fail('PATH_REFUSED', `it is larger than ${maxBytes} bytes`);
    return { ok: true, bytes };
  });
  return auditEntries(repository, files, { path: '', skill });
}

interface AuditedFolder {
  readonly path: string;
  readonly skill?: SkillDefinition | undefined;
}

function auditEntries(
  repository: Repository,
  entries: readonly TreeEntry[],
  { path: folder, skill }: AuditedFolder,
): Promise<Audit> {
  const seen = entries.slice(0, MAX_ENTRIES).map((entry) => {
    const path = folder === '' ? entry.path : entry.path.slice(folder.length + 1);
    return { ...entry, path: path.slice(0, MAX_PATH_LENGTH), refusal: findRefusal(entry, path) };
  });
  const files = seen.filter(({ refusal }) => refusal === undefined);
  const refused: RefusedEntry[] = seen.flatMap(({ path, refusal }) =>
    refusal === undefined ? [] : [{ path, ...refusal }],
  );
  const more = entries.length - seen.length;
  if (more > 0) refused.push({ path: '', kind: 'too-many', reason: `holds ${more} more files, which were not read` });
  return auditFiles({
    files: files.map(({ id, ...file }) => ({ ...file, read: (max) => repository.readBlob(id, max) })),
    refused,
    skill,
  });
}

/** Far more than can be installed. */
const MAX_ENTRIES = 10_000;
const MAX_PATH_LENGTH = 4_096;

const REFUSALS: Readonly<Record<Exclude<TreeEntry['kind'], 'file'>, Omit<RefusedEntry, 'path'>>> = {
  link: { kind: 'link', reason: 'is a link' },
  submodule: { kind: 'submodule', reason: 'is a submodule (another repository), which is not fetched' },
  other: { kind: 'special', reason: 'is not a regular file' },
};

function findRefusal({ kind, refusal }: TreeEntry, path: string): TreeEntry['refusal'] {
  if (kind !== 'file') return refusal ?? REFUSALS[kind];
  return path.length > MAX_PATH_LENGTH
    ? { kind: 'name', reason: `… is a path of ${path.length} characters` }
    : undefined;
}
