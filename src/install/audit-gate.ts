import type { Audit } from '../audit/audit-files.ts';
import { auditContents } from '../audit/audit-repository.ts';
import { compareAudits } from '../audit/compare-audits.ts';
import { judgeFindings, type PolicyVerdict } from '../audit/policy.ts';
import type { AuditFinding } from '../audit/report.ts';
import { openAllowedRules } from '../catalog/allowed-rules.ts';
import type { LockedSkill } from '../model/lock.ts';
import type { Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import type { FileContent } from '../parse/digest.ts';
import type { ChangeContext } from './changes/skill-change.ts';

/** The audit of a skill, and the result of applying the setting `auditFailOn`. */
export interface AuditedSkill extends PolicyVerdict {
  readonly audit: Audit;
  /** Findings that the installed version does not have, the worst first; all findings if it replaces none. */
  readonly addedFindings: readonly AuditFinding[];
}

/** A version on disk that a new one would replace. */
export interface InstalledVersion {
  readonly dir: string;
  readonly digest: string;
}

/** Every skill passes it before it is written. */
export interface AuditGate {
  /**
   * Audits a skill's files. Findings that a person accepted for these files, or for the version they replace, are not
   * refused.
   */
  audit(skill: AuditableSkill, installed?: InstalledVersion): Promise<Outcome<AuditedSkill>>;
  /** Remembers that a person accepts the findings of these skills, as long as their files stay the same. */
  accept(skills: readonly AcceptedSkill[]): Promise<Outcome>;
}

interface AcceptedSkill extends Pick<AuditedSkill, 'rules'> {
  readonly entry: LockedSkill;
}

interface AuditableSkill {
  readonly entry: LockedSkill;
  readonly skill: SkillDefinition;
  readonly contents: readonly FileContent[];
}

/** `allow`: ids or names of audit rules whose findings are accepted. */
export function openAuditGate(
  { environment, failOn }: Pick<ChangeContext, 'environment' | 'failOn'>,
  allow: readonly string[] = [],
): AuditGate {
  const allowed = openAllowedRules(environment.agentHome);
  return {
    accept: (skills) => allowed.remember(skills.map(({ entry: { name, digest }, rules }) => ({ name, digest, rules }))),
    async audit({ entry, skill, contents }, installed) {
      const audit = await auditContents(contents, skill);
      const { findings } = audit;
      const addedFindings = installed === undefined ? findings : await compareAudits(installed.dir, audit);
      const { refused, rules } = judgeFindings(findings, { failOn, allow });
      if (refused.length === 0) return { ok: true, audit, addedFindings, refused, rules };
      const accepted = allowed.find(entry.digest);
      if (!accepted.ok) return accepted;
      const before = installed === undefined ? { ok: true as const, rules: [] } : allowed.find(installed.digest);
      if (!before.ok) return before;
      const isAccepted = (finding: AuditFinding): boolean =>
        accepted.rules.includes(finding.rule) ||
        (before.rules.includes(finding.rule) && !addedFindings.includes(finding));
      return { ok: true, audit, addedFindings, refused: refused.filter((finding) => !isAccepted(finding)), rules };
    },
  };
}
