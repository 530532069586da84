import { fail, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import type { FileContent } from '../parse/digest.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { openWholeFolder } from '../platform/repository/folder-repository.ts';
import { openFiles, type Repository, type TreeEntry } from '../platform/repository/repository.ts';
import { auditFiles, type Audit } from './audit-files.ts';
import { MAX_EXAMINED_BYTES } from './reading/examine-file-whole.ts';

export interface ExaminationLimits {
  /** Larger files are read in parts, and larger archives are not unpacked. */
  readonly maxWholeBytes: number;
  readonly partBytes: number;
  /** The rest of a larger file is not read: it would take minutes, and no skill needs it. */
  readonly maxFileBytes: number;
}

const MEBIBYTE = 1024 * 1024;
/** The limits of an audit, as `docs/guide/audit.md` has them. */
export const EXAMINATION_LIMITS: ExaminationLimits = {
  maxWholeBytes: MAX_EXAMINED_BYTES,
  partBytes: 8 * MEBIBYTE,
  maxFileBytes: 2 * 1024 * MEBIBYTE,
};

/** Audits a folder of a repository, whether it is a skill or not. Writes nothing, runs nothing. */
export async function auditRepository(
  repository: Repository,
  path = '',
  limits: ExaminationLimits = EXAMINATION_LIMITS,
): Promise<Outcome<{ readonly audit: Audit }>> {
  const listed = await repository.listTree(path);
  if (!listed.ok) return listed;
  if (listed.entries.length === 0) return fail('SKILL_NOT_FOUND', `there are no files in ${path === '' ? 'it' : path}`);
  return { ok: true, audit: await auditEntries(repository, listed.entries, { path, limits }) };
}

/** Audits a folder on disk, with the hooks and settings of git in it. */
export async function auditFolder(
  dir: string,
  limits?: ExaminationLimits,
): Promise<Outcome<{ readonly audit: Audit }>> {
  const realDir = realPath(dir);
  return realDir !== undefined && listDirectory(realDir).state === 'listed'
    ? auditRepository(openWholeFolder(realDir), '', limits)
    : fail('SKILL_NOT_FOUND', `${dir} is not a readable folder`);
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
  return auditEntries(repository, files, { path: '', limits: EXAMINATION_LIMITS, skill });
}

interface AuditedFolder {
  readonly path: string;
  readonly limits: ExaminationLimits;
  readonly skill?: SkillDefinition | undefined;
}

function auditEntries(
  repository: Repository,
  entries: readonly TreeEntry[],
  { path: folder, limits, skill }: AuditedFolder,
): Promise<Audit> {
  const { readParts } = repository;
  const { maxWholeBytes, partBytes, maxFileBytes: maxBytes } = limits;
  const seen = entries.slice(0, MAX_ENTRIES).map((entry) => {
    const path = folder === '' ? entry.path : entry.path.slice(folder.length + 1);
    return { ...entry, path: path.slice(0, MAX_PATH_LENGTH), reason: findReason(entry, path) };
  });
  const files = seen.filter(({ reason }) => reason === undefined);
  const refused = seen.flatMap(({ path, reason }) => (reason === undefined ? [] : [{ path, reason }]));
  const more = entries.length - seen.length;
  if (more > 0) refused.push({ path: '', reason: `holds ${more} more files, which were not read` });
  return auditFiles({
    files: files.map(({ id, ...file }) => ({
      ...file,
      read: (max) => repository.readBlob(id, max),
      ...(readParts && { readParts: (visit) => readParts(id, { partBytes, maxBytes, visit }) }),
    })),
    refused,
    skill,
    maxWholeBytes,
  });
}

/** Far more than can be installed. */
const MAX_ENTRIES = 10_000;
const MAX_PATH_LENGTH = 4_096;

const REASONS: Readonly<Record<Exclude<TreeEntry['kind'], 'file'>, string>> = {
  link: 'is a link',
  submodule: 'is a submodule (another repository), which is not fetched',
  other: 'is not a regular file',
};

function findReason({ kind, reason }: TreeEntry, path: string): string | undefined {
  if (kind !== 'file') return reason ?? REASONS[kind];
  return path.length > MAX_PATH_LENGTH ? `… is a path of ${path.length} characters` : undefined;
}
