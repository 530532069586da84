import { fail } from '../model/outcome.ts';
import type { FileContent } from '../parse/digest.ts';
import { auditFiles, type Audit } from './audit-files.ts';

/** Audits files in memory; runs nothing. */
export async function auditContents(files: readonly FileContent[]): Promise<Audit> {
  return auditFiles({
    files: files.map(({ path, executable, bytes }) => ({
      path,
      executable,
      size: bytes.length,
      read: async (maxBytes) =>
        bytes.length > maxBytes ? fail('PATH_REFUSED', `it is larger than ${maxBytes} bytes`) : { ok: true, bytes },
    })),
    refused: [],
  });
}
