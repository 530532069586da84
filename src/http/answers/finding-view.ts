import { describePlace, type AuditFinding } from '../../audit.ts';
import type { FindingView } from '../wire/skill.ts';

/** A finding of an audit, for the page. `refused`: those that a person must accept. */
export function toFindingView(finding: AuditFinding, refused: readonly AuditFinding[]): FindingView {
  const { rule, name, severity, file, line, excerpt, why } = finding;
  const isRefused = refused.includes(finding);
  return { rule, name, severity, place: describePlace(finding), file, line: line ?? null, excerpt, why, isRefused };
}
