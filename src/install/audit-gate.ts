import { judgeFindings, type PolicyVerdict } from '../audit/policy.ts';
import type { AuditFinding } from '../audit/report.ts';
import { openAllowedRules, type AllowedRules } from '../catalog/allowed-rules.ts';
import type { LockedSkill } from '../model/lock.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ChangeContext } from './changes/skill-change.ts';

/** Applies the setting `auditFailOn` to the audits of staged skills. */
export interface AuditGate extends AllowedRules {
  /** False if nothing is ever refused. */
  readonly isClosed: boolean;
  /** Judges the findings of a skill in one state. Rules that were allowed for this state before are allowed. */
  judge(entry: Pick<LockedSkill, 'digest'>, findings: readonly AuditFinding[]): Outcome<PolicyVerdict>;
}

export function openAuditGate(
  { environment, failOn }: Pick<ChangeContext, 'environment' | 'failOn'>,
  allow: readonly string[] = [],
): AuditGate {
  const allowed = openAllowedRules(environment.agentHome);
  return {
    ...allowed,
    isClosed: failOn !== 'never',
    judge({ digest }, findings) {
      const verdict = judgeFindings(findings, { failOn, allow });
      if (verdict.refused.length === 0) return { ok: true, ...verdict };
      const known = allowed.find(digest);
      return known.ok ? { ok: true, ...judgeFindings(findings, { failOn, allow: [...allow, ...known.rules] }) } : known;
    },
  };
}
