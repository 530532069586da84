import type { UnpackBudget } from '../../src/audit/archives/examine-archive.ts';
import type { Audit } from '../../src/audit/audit-files.ts';
import { auditFolder } from '../../src/audit/audit-repository.ts';
import { MAX_STATEMENTS, type StatementBudget } from '../../src/audit/flow/follow-values.ts';
import { openMentions } from '../../src/audit/inventory.ts';
import { MAX_COMMANDS } from '../../src/audit/reading/examine-text.ts';
import { openExaminer } from '../../src/audit/reading/examiner.ts';
import { openReport, type AuditFinding } from '../../src/audit/report.ts';
import { makeTree, type Tree } from './tree.ts';

/** Audits a folder; fails the test if it does not exist. */
export async function auditDirectory(dir: string): Promise<Audit> {
  const audited = await auditFolder(dir);
  if (!audited.ok) throw new Error(audited.message);
  return audited.audit;
}

export function auditTree(tree: Tree): Promise<Audit> {
  return auditDirectory(makeTree(tree));
}

export interface ExamineOptions {
  /** Limits for unpacking archives; far lower than in an audit, so that tests are quick. */
  readonly budget?: UnpackBudget & Partial<StatementBudget>;
}

/** The findings in a file that is not on disk. */
export function examineBytes(
  file: string,
  bytes: Buffer,
  { budget = { entries: 100, bytes: 1024 * 1024 } }: ExamineOptions = {},
): readonly AuditFinding[] {
  const report = openReport();
  const examine = openExaminer({
    report,
    mentions: openMentions(),
    budget: { commands: MAX_COMMANDS, statements: MAX_STATEMENTS, ...budget },
  });
  examine({ place: { file }, bytes, depth: 0 });
  return report.close().findings;
}
