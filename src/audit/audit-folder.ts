import { fail, type Outcome } from '../model/outcome.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { readInsideInParts } from '../platform/files/inside-parts.ts';
import { readInside } from '../platform/files/inside.ts';
import { listInside } from '../platform/files/list-inside.ts';
import { auditFiles, type Audit } from './audit-files.ts';

/** Beyond this a file is not read on: it would take minutes, and no skill needs it. */
const MAX_FILE_BYTES: number = 2 * 1024 * 1024 * 1024;
const PART_BYTES: number = 8 * 1024 * 1024;
/** Git writes these itself and runs nothing of them. */
const OBJECTS = '.git/objects';

/** Audits a folder as it lies on disk, be it a skill or not. */
export async function auditFolder(dir: string): Promise<Outcome<{ readonly audit: Audit }>> {
  const realDir = realPath(dir);
  const listing = realDir === undefined ? undefined : listDirectory(realDir);
  if (realDir === undefined || listing?.state !== 'listed')
    return fail('SKILL_NOT_FOUND', `${dir} is no folder that can be read`);
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
