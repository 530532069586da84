import { fail, type Outcome } from '../model/outcome.ts';
import { listDirectory, realPath } from '../platform/files/files.ts';
import { readInsideInParts } from '../platform/files/inside-parts.ts';
import { readInside } from '../platform/files/inside.ts';
import { listInside } from '../platform/files/list-inside.ts';
import { auditFiles, type Audit } from './audit-files.ts';
import { MAX_EXAMINED_BYTES } from './reading/examine-file-whole.ts';

export interface FolderLimits {
  /** Larger files are read in parts, and larger archives are not unpacked. */
  readonly maxWholeBytes: number;
  readonly partBytes: number;
  /** The rest of a larger file is not read: it would take minutes, and no skill needs it. */
  readonly maxFileBytes: number;
}

const MEBIBYTE = 1024 * 1024;
/** The limits of an audit, as `docs/guide/audit.md` has them. */
export const FOLDER_LIMITS: FolderLimits = {
  maxWholeBytes: MAX_EXAMINED_BYTES,
  partBytes: 8 * MEBIBYTE,
  maxFileBytes: 2 * 1024 * MEBIBYTE,
};
/** Git's own data, which git never runs. */
const OBJECTS = '.git/objects';

/** Audits a folder on disk, whether it is a skill or not. */
export async function auditFolder(
  dir: string,
  { maxWholeBytes, partBytes, maxFileBytes }: FolderLimits = FOLDER_LIMITS,
): Promise<Outcome<{ readonly audit: Audit }>> {
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
      readParts: (visit) => readInsideInParts(realDir, file.path, { partBytes, maxBytes: maxFileBytes, visit }),
    })),
    refused: [...listed.refused, ...unread],
    maxWholeBytes,
  });
  return { ok: true, audit };
}
