import { fail, type Outcome } from '../model/outcome.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { readInsideInParts } from '../platform/files/inside-parts.ts';
import { readInside } from '../platform/files/inside.ts';
import { listInside } from '../platform/files/list-inside.ts';
import { auditFiles, type Audit } from './audit-files.ts';

/** The rest of a larger file is not read: it would take minutes, and no skill needs it. */
const MAX_FILE_BYTES: number = 2 * 1024 * 1024 * 1024;
const PART_BYTES: number = 8 * 1024 * 1024;
/** Git's own data, which git never runs. */
const OBJECTS = '.git/objects';

/** Audits a folder on disk, whether it is a skill or not. */
export async function auditFolder(dir: string): Promise<Outcome<{ readonly audit: Audit }>> {
  const realDir = realPath(dir);
  const listing = realDir === undefined ? undefined : listDirectory(realDir);
  if (realDir === undefined || listing?.state !== 'listed')
    return fail('SKILL_NOT_FOUND', `${dir} is not a readable folder`);
  const listed = listInside(realDir);
  const files = listed.files.filter(({ path }) => !path.startsWith(`${OBJECTS}/`));
  const unread = files.length < listed.files.length ? [{ path: OBJECTS, reason: 'is left to git' }] : [];
  const audit = await auditFiles({
    files: files.map((file) => ({
      ...file,
      read: async (maxBytes) => readInside(realDir, file.path, { maxBytes }),
      readParts: (visit) =>
        readInsideInParts(realDir, file.path, { partBytes: PART_BYTES, maxBytes: MAX_FILE_BYTES, visit }),
    })),
    refused: [...listed.refused, ...unread],
  });
  return { ok: true, audit };
}
