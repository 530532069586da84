import { isTaken } from '../platform/files/files.ts';
import type { Audit } from './audit-files.ts';
import { auditFolder } from './audit-repository.ts';
import type { AuditFinding } from './report.ts';

/**
 * The findings of a new version that the old one, in a folder, does not have, the worst first. The folder is only read if
 * the new version has findings, and may be missing.
 */
export async function compareAudits(before: string, after: Audit): Promise<readonly AuditFinding[]> {
  if (after.findings.length === 0 || !isTaken(before)) return after.findings;
  const old = await auditFolder(before);
  return old.ok ? findAdded(old.audit, after) : after.findings;
}

/** A finding whose line number alone changed is not new. Of two equal ones, only the second is. */
export function findAdded(before: Pick<Audit, 'findings'>, after: Pick<Audit, 'findings'>): readonly AuditFinding[] {
  const known = new Map<string, number>();
  for (const finding of before.findings) known.set(keyOf(finding), (known.get(keyOf(finding)) ?? 0) + 1);
  return after.findings.filter((finding) => {
    const count = known.get(keyOf(finding)) ?? 0;
    known.set(keyOf(finding), count - 1);
    return count <= 0;
  });
}

function keyOf({ rule, severity, certainty, file, member, excerpt }: AuditFinding): string {
  return JSON.stringify([rule, severity, certainty, file, member, excerpt]);
}
