import { listScripts } from '../activate/scripts.ts';
import type { Audit } from '../audit/audit-files.ts';
import type { PolicyVerdict } from '../audit/policy.ts';
import type { AuditFinding } from '../audit/report.ts';
import { openAllowedRules } from '../catalog/allowed-rules.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { locateSkill, type LocatedSkill } from '../catalog/locate.ts';
import { findInCatalog } from '../catalog/off-sources.ts';
import { isTrustedByPlace, openTrust } from '../catalog/trust.ts';
import { readConfig } from '../config/read-config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { digestFolder, type FileDigest } from '../parse/digest.ts';
import type { Environment } from '../platform/environment.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** A skill as a person should see it before trusting it. */
export interface TrustInspection {
  readonly skill: Skill;
  /** The skill's folder with links resolved: trust is granted to this place. */
  readonly realDir: string;
  /** The state of the folder that was audited; trust is granted to exactly this state. */
  readonly digest: string;
  /** All files of the skill, sorted by path. */
  readonly files: readonly FileDigest[];
  /** Scripts that may run once the skill is trusted. */
  readonly scripts: readonly string[];
  /** Toolsets that may be loaded once the skill is trusted. */
  readonly toolsets: readonly string[];
  readonly audit: Audit;
  /** Findings for which `auditFailOn` refuses to trust it, unless their rules are allowed. */
  readonly refused: readonly AuditFinding[];
  /** Why the skill is trusted already; undefined if it is not. */
  readonly trustedBecause: string | undefined;
}

/** Decides which skills may run their scripts and toolsets. */
export interface SkillTrust {
  /** Audits a skill for the person who decides whether to trust it; runs nothing. */
  inspect(name: string): Promise<Outcome<TrustInspection>>;
  /**
   * Trusts a skill in the state that the digest names; any change to its folder ends the trust. Fails if its audit has
   * findings that `auditFailOn` refuses.
   */
  grant(name: string, digest: string, options?: GrantOptions): Promise<Outcome>;
  revoke(name: string): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
  /** Why a skill may run its scripts and toolsets; a failure says why it may not, and what to do. */
  judge(skill: Skill): Outcome<{ readonly because: string }>;
  /** The folder from which a trusted skill runs: its own, or a private copy of the state that was trusted. */
  prepare(located: LocatedSkill): Outcome<{ readonly runDir: string }>;
}

export interface GrantOptions {
  /** Ids or names of audit rules whose findings a person accepts. They are remembered with the digest. */
  readonly allow?: readonly string[] | undefined;
}

export interface TrustParts {
  readonly environment: Environment;
  readonly catalog: () => Catalog;
}

export function openSkillTrust({ environment, catalog }: TrustParts): SkillTrust {
  const { agentHome, userId } = environment;
  const trust = openTrust(agentHome);
  const allowed = openAllowedRules(agentHome);
  const find = (name: string): Outcome<{ readonly skill: Skill }> => findInCatalog(catalog(), name);
  const judge = async (name: string, allow: readonly string[]): Promise<Outcome<JudgedSkill>> => {
    const found = find(name);
    const located = found.ok ? locateSkill(found.skill, { roots: catalog().roots, userId }) : found;
    if (!located.ok) return located;
    const read = await auditAtDigest(located);
    if (!read.ok) return read;
    const known = allowed.find(read.digest);
    if (!known.ok) return known;
    const { config } = await readConfig(environment);
    const { judgeFindings } = await import('../audit/policy.ts');
    const policy = { failOn: config.auditFailOn, allow: [...allow, ...known.rules] };
    return { ...read, located, verdict: judgeFindings(read.audit.findings, policy) };
  };
  return {
    async inspect(name) {
      const judged = await judge(name, []);
      if (!judged.ok) return judged;
      const { located, verdict, ...read } = judged;
      const { skill, realDir } = located;
      const because = trust.judge(skill);
      const trustedBecause = because.ok ? because.because : undefined;
      const facts = { scripts: listScripts(located), toolsets: skill.toolsets, refused: verdict.refused };
      return { ...read, skill, realDir, ...facts, trustedBecause };
    },
    async grant(name, digest, { allow = [] } = {}) {
      const found = find(name);
      if (!found.ok || isTrustedByPlace(found.skill)) return found;
      const judged = await judge(name, allow);
      if (!judged.ok) return judged;
      const { refused, rules } = judged.verdict;
      if (judged.digest !== digest)
        return fail('NOT_TRUSTED', `the skill "${found.skill.name}" has changed since it was inspected`, 'Try again.');
      if (refused.length > 0) {
        const { refuseFindings } = await import('../audit/policy.ts');
        return refuseFindings(found.skill.name, refused);
      }
      const remembered = await allowed.remember([{ name: found.skill.name, digest, rules }]);
      return remembered.ok ? trust.grant(found.skill, digest) : remembered;
    },
    async revoke(name) {
      const found = find(name);
      return found.ok ? trust.revoke(found.skill) : found;
    },
    judge: (skill) => trust.judge(skill),
    prepare: (located) => trust.prepare(located),
  };
}

interface JudgedSkill extends Pick<TrustInspection, 'digest' | 'files' | 'audit'> {
  readonly located: LocatedSkill;
  readonly verdict: PolicyVerdict;
}

/** Takes the digest before and after the audit, so that both describe the same state of the folder. */
async function auditAtDigest({
  realDir,
  skill: { name },
}: LocatedSkill): Promise<Outcome<Pick<TrustInspection, 'digest' | 'files' | 'audit'>>> {
  const before = digestFolder(openSkillFolder(realDir));
  if (!before.ok) return before;
  // Lazy: most processes never audit a skill.
  const { auditFolder } = await import('../audit/audit-folder.ts');
  const audited = await auditFolder(realDir);
  if (!audited.ok) return audited;
  const after = digestFolder(openSkillFolder(realDir));
  if (!after.ok) return after;
  if (after.digest !== before.digest)
    return fail('STORE_FAILED', `the skill "${name}" changed while it was read`, 'Try again.');
  return { ok: true, digest: after.digest, files: after.files, audit: audited.audit };
}
