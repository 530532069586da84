import { fail, type Outcome } from '../model/outcome.ts';
import type { Repository, TreeEntry } from '../platform/repository/repository.ts';
import { auditFiles, type Audit } from './audit-files.ts';

/** Audits a folder of a fetched repository; writes nothing to disk. */
export async function auditRepositoryFolder(
  repository: Repository,
  path: string,
): Promise<Outcome<{ readonly audit: Audit }>> {
  const listed = await repository.listTree(path);
  if (!listed.ok) return listed;
  if (listed.entries.length === 0)
    return fail('SKILL_NOT_FOUND', `there are no files in ${path === '' ? 'the repository' : path}`);
  const inside = listed.entries.slice(0, MAX_ENTRIES).map((entry) => ({ ...entry, path: below(path, entry.path) }));
  const refused = inside.flatMap((entry) => {
    const reason = findReason(entry);
    return reason === undefined ? [] : [{ path: entry.path.slice(0, MAX_PATH_LENGTH), reason }];
  });
  const more = listed.entries.length - inside.length;
  const cut = more > 0 ? [{ path: '', reason: `holds ${more} more files, which were not read` }] : [];
  const files = inside
    .filter((entry) => findReason(entry) === undefined)
    .map((entry) => ({ ...entry, read: (maxBytes: number) => repository.readBlob(entry.id, maxBytes) }));
  return { ok: true, audit: await auditFiles({ files, refused: [...refused, ...cut] }) };
}

function findReason({ kind, path }: TreeEntry): string | undefined {
  if (kind !== 'file') return REASONS[kind];
  return path.length > MAX_PATH_LENGTH ? `… is a path of ${path.length} characters` : undefined;
}

/** Far more than can be installed. */
const MAX_ENTRIES = 10_000;
const MAX_PATH_LENGTH = 4_096;

const REASONS: Readonly<Record<Exclude<TreeEntry['kind'], 'file'>, string>> = {
  link: 'is a link',
  submodule: 'is a submodule (another repository), which is not fetched',
  other: 'is not a regular file',
};

function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}
