/** Audits skills before anyone trusts them. Nothing of a skill is run unless you ask for it. */

export { auditSkills, type AuditedSkills, type AuditSettings, type SkillAudit } from './install/audit-skills.ts';
export type { Audit } from './audit/audit-files.ts';
export type { AuditFinding } from './audit/report.ts';
export type { AuditCertainty, AuditSeverity } from './audit/rules/rule.ts';
/** The findings in the format of code scanners. */
export { renderSarif } from './audit/sarif.ts';
