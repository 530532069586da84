import { listScripts } from '../activate/scripts.ts';
import type { Audit } from '../audit/audit-files.ts';
import type { PolicyVerdict } from '../audit/policy.ts';
import type { AuditFinding } from '../audit/report.ts';
import { openAllowedRules, type AllowedRules } from '../catalog/allowed-rules.ts';
import { failBroken, isBroken } from '../catalog/broken.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { fetchLocated, locateSkill, openJudged, type LocatedSkill } from '../catalog/locate.ts';
import { findInCatalog } from '../catalog/off-sources.ts';
import type { Trust, Trusted } from '../catalog/trust.ts';
import type { ConfigReading } from '../config/read-config.ts';
import type { AuditLimit } from '../model/config.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { digestFolder, type FileDigest } from '../parse/digest.ts';
import type { Environment } from '../platform/environment.ts';
import type { AuditVerdicts } from './audit-verdicts.ts';
import { openServingGate, type ServingGate } from './serving-gate.ts';

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
  /** Only the user's own trust can be taken back. */
  readonly trustedBy: Trusted['by'] | undefined;
}

/** Decides which skills may run their scripts and toolsets, and which of them models are given the text of. */
export interface SkillTrust extends ServingGate {
  /** Audits a skill for the person who decides whether to trust it; runs nothing. */
  inspect(name: string): Promise<Outcome<TrustInspection>>;
  /** The audit alone, also of a skill that could not be trusted because its folder has no digest. */
  audit(name: string): Promise<Outcome<LocatedSkill & { readonly audit: Audit }>>;
  /**
   * Trusts a skill in the state that the digest names; any change to its folder ends the trust. Fails if its audit has
   * findings that `auditFailOn` refuses.
   */
  grant(name: string, digest: string, options?: GrantOptions): Promise<Outcome>;
  revoke(name: string): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
  /** Why models are not given the text of a skill; undefined if they are. */
  findWithheld(skill: Skill): Promise<Failure | undefined>;
  /** Why a skill may run its scripts and toolsets; a failure says why it may not, and what to do. */
  judge(skill: Skill): Outcome<Trusted>;
}

export interface GrantOptions {
  /** Ids or names of audit rules whose findings a person accepts. They are remembered with the digest. */
  readonly allow?: readonly string[] | undefined;
}

export interface TrustParts {
  readonly trust: Trust;
  readonly environment: Environment;
  readonly config: () => ConfigReading;
  readonly catalog: () => Catalog;
  readonly verdicts: AuditVerdicts;
}

export function openSkillTrust({ trust, environment, config, catalog, verdicts }: TrustParts): SkillTrust {
  const { agentHome, userId } = environment;
  const allowed = openAllowedRules(agentHome);
  const locate = (skill: Skill): Outcome<LocatedSkill> => locateSkill(skill, { roots: catalog().roots, userId });
  const find = (name: string): Outcome<LocatedSkill> => {
    const found = findInCatalog(catalog(), name);
    return found.ok ? locate(found.skill) : found;
  };
  const readLimit = (): AuditLimit => config().config.auditFailOn;
  const auditFor = (located: LocatedSkill, allow: readonly string[]): Promise<Outcome<AuditedSkill>> =>
    auditForTrust(located, allow, { readLimit, verdicts, allowed });
  const gate = openServingGate({ locate, readLimit, verdicts, trust, allowed });
  return {
    ...gate,
    async findWithheld(skill) {
      const located = skill.status === 'broken' ? undefined : locate(skill);
      const admitted = located?.ok === true ? await gate.admit(located) : undefined;
      return admitted?.ok === false ? admitted : undefined;
    },
    async inspect(name) {
      const located = find(name);
      if (!located.ok) return located;
      if (isBroken(located.skill)) return failBroken(located.skill);
      const audited = await auditFor(located, []);
      if (!audited.ok) return audited;
      const { verdict, ...read } = audited;
      const { skill, realDir } = located;
      const judged = trust.judge(skill);
      const trusted = judged.ok ? { trustedBecause: judged.because, trustedBy: judged.by } : NOT_TRUSTED;
      const facts = { scripts: listScripts(located), toolsets: skill.toolsets, refused: verdict.refused };
      return { ...read, skill, realDir, ...facts, ...trusted };
    },
    async audit(name) {
      const located = find(name);
      if (!located.ok) return located;
      const audited = await verdicts.audit(located, readLimit());
      return audited.ok ? { ...located, audit: audited.audit } : audited;
    },
    async grant(name, digest, { allow = [] } = {}) {
      const located = find(name);
      if (!located.ok) return located;
      const { skill } = located;
      if (isBroken(skill)) return failBroken(skill);
      if (trust.isByPlace(skill)) return { ok: true };
      const audited = await auditFor(located, allow);
      if (!audited.ok) return audited;
      const { refused, rules } = audited.verdict;
      if (audited.digest !== digest)
        return fail('NOT_TRUSTED', `"${skill.name}" changed after it was reviewed`, { retry: 'now' });
      if (refused.length > 0) {
        const { refuseFindings } = await import('../audit/policy.ts');
        return refuseFindings(skill.name, refused);
      }
      const remembered = await allowed.remember([{ name: skill.name, digest, rules }]);
      return remembered.ok ? trust.grant(skill, digest) : remembered;
    },
    async revoke(name) {
      const found = findInCatalog(catalog(), name);
      return found.ok ? trust.revoke(found.skill) : found;
    },
    judge: (skill) => trust.judge(skill),
  };
}

type ReadSkill = Pick<TrustInspection, 'digest' | 'files' | 'audit'>;

interface AuditedSkill extends ReadSkill {
  readonly verdict: PolicyVerdict;
}

interface PolicyParts {
  readonly readLimit: () => AuditLimit;
  readonly verdicts: AuditVerdicts;
  readonly allowed: AllowedRules;
}

async function auditForTrust(
  located: LocatedSkill,
  allow: readonly string[],
  { readLimit, verdicts, allowed }: PolicyParts,
): Promise<Outcome<AuditedSkill>> {
  const read = await readAtDigest(located, () => verdicts.audit(located, readLimit()));
  if (!read.ok) return read;
  const known = allowed.find(read.digest);
  if (!known.ok) return known;
  const { judgeFindings } = await import('../audit/policy.ts');
  const policy = { failOn: readLimit(), allow: [...allow, ...known.rules] };
  return { ...read, verdict: judgeFindings(read.audit.findings, policy) };
}

/** Takes the digest before and after the audit, so that both describe the same state of the folder. */
async function readAtDigest(
  located: LocatedSkill,
  auditNow: () => Promise<Outcome<Pick<ReadSkill, 'audit'>>>,
): Promise<Outcome<ReadSkill>> {
  // A folder on disk is read at once, so that a change from now on is noticed.
  const fetched = located.folder === undefined ? undefined : await fetchLocated(located);
  if (fetched?.ok === false) return fetched;
  const before = digestFolder(openJudged(located));
  if (!before.ok) return before;
  const audited = await auditNow();
  if (!audited.ok) return audited;
  const after = digestFolder(openJudged(located));
  if (!after.ok) return after;
  if (after.digest !== before.digest)
    return fail('STORE_FAILED', `the skill "${located.skill.name}" changed while it was read`, { retry: 'now' });
  return { ok: true, digest: after.digest, files: after.files, audit: audited.audit };
}

const NOT_TRUSTED = { trustedBecause: undefined, trustedBy: undefined } as const;
