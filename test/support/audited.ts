import { auditFolder } from '../../src/plugins/audit-folder.ts';
import { openMentions } from '../../src/plugins/audit-inventory.ts';
import { openReport, type AuditFinding } from '../../src/plugins/audit-report.ts';
import type { Audit } from '../../src/plugins/audit.ts';
import type { UnpackBudget } from '../../src/plugins/examine-archive.ts';
import { openExaminer } from '../../src/plugins/examiner.ts';
import { makeTree, type Tree } from './tree.ts';

/** The audit of a folder that must be there. */
export async function auditDirectory(dir: string): Promise<Audit> {
  const audited = await auditFolder(dir);
  if (!audited.ok) throw new Error(audited.message);
  return audited.audit;
}

export function auditTree(tree: Tree): Promise<Audit> {
  return auditDirectory(makeTree(tree));
}

export interface ExamineOptions {
  /** What archives may cost; far less than in an audit, so that tests are quick. */
  readonly budget?: UnpackBudget;
}

/** The findings in a file that is not on disk. */
export function examineBytes(
  file: string,
  bytes: Buffer,
  { budget = { entries: 100, bytes: 1024 * 1024 } }: ExamineOptions = {},
): readonly AuditFinding[] {
  const report = openReport();
  openExaminer({ report, mentions: openMentions(), budget: { ...budget } }).examine({
    place: { file },
    bytes,
    depth: 0,
  });
  return report.close().findings;
}
