/** Audits skills before anyone trusts them. Nothing of a skill is run. */

export { auditSkills, type AuditedSkills, type AuditSettings, type SkillAudit } from './install/audit-skills.ts';
export type { Audit } from './audit/audit-files.ts';
export type { AuditFinding } from './audit/report.ts';
export type { Mentioned } from './audit/inventory.ts';
export { isAtLeast, SEVERITIES, type AuditSeverity } from './audit/rules/rule.ts';
export { findRule, withholdFindings } from './audit/policy.ts';
export { renderSarif } from './audit/sarif.ts';
export {
  AUDIT_ADVICE,
  countFindings,
  describeCounts,
  describeFinding,
  describePlace,
  summariseAudit,
  type AuditSummary,
} from './audit/summary.ts';
