import type { Outcome } from '../model/outcome.ts';
import { isTaken } from '../platform/files/files.ts';
import type { Audit } from './audit-files.ts';
import { auditFolder } from './audit-folder.ts';
import type { AuditFinding } from './report.ts';

export interface ComparedAudits {
  /** The audit of the new folder. */
  readonly audit: Audit;
  /** The findings of the new folder that the old one does not have, the worst first. */
  readonly added: readonly AuditFinding[];
}

/** Audits a new version of a folder. The old one is only read if the new one has findings, and may be missing. */
export async function compareAudits(before: string, after: string): Promise<Outcome<ComparedAudits>> {
  const now = await auditFolder(after);
  if (!now.ok) return now;
  const { audit } = now;
  if (audit.findings.length === 0 || !isTaken(before)) return { ok: true, audit, added: audit.findings };
  const old = await auditFolder(before);
  return { ok: true, audit, added: old.ok ? findAdded(old.audit, audit) : audit.findings };
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

function keyOf({ rule, severity, file, member, excerpt }: AuditFinding): string {
  return JSON.stringify([rule, severity, file, member, excerpt]);
}
