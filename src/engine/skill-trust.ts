import { inspectContents, type SkillContents } from '../activate/inspection.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { locateSkill } from '../catalog/locate.ts';
import { openTrust } from '../catalog/trust.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { skillDigest } from '../parse/digest.ts';
import type { Environment } from '../platform/environment.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** What somebody should see before they trust a skill. */
export interface TrustInspection {
  readonly skill: Skill;
  /** What trust is bound to: the skill as it was looked at. */
  readonly digest: string;
  readonly contents: SkillContents;
  /** Why it is trusted already; undefined where it is not. */
  readonly trustedBecause: string | undefined;
}

/** Decides which skills may run their scripts and toolsets. */
export interface SkillTrust {
  /** Shows a skill to whoever decides; runs nothing. */
  inspect(name: string): Outcome<TrustInspection>;
  /** Trusts a skill as it was inspected; any change of its folder ends that. */
  grant(name: string, digest: string): Promise<Outcome>;
  revoke(name: string): Promise<Outcome<{ readonly wasTrusted: boolean }>>;
  /** May this skill run what it brings? A failure says why not, and what to do. */
  judge(skill: Skill): Outcome<{ readonly because: string }>;
}

export interface TrustParts {
  readonly environment: Environment;
  readonly catalog: () => Catalog;
}

export function openSkillTrust({ environment: { agentHome, userId }, catalog }: TrustParts): SkillTrust {
  const trust = openTrust(agentHome);
  const find = (name: string): Outcome<{ readonly skill: Skill }> => findSkill(catalog().skills, name);
  return {
    inspect(name) {
      const found = find(name);
      const located = found.ok ? locateSkill(found.skill, { roots: catalog().roots, userId }) : found;
      if (!located.ok) return located;
      const { skill, realDir } = located;
      const digest = skillDigest(openSkillFolder(realDir));
      if (!digest.ok) return digest;
      const judged = trust.judge(skill);
      const trustedBecause = judged.ok ? judged.because : undefined;
      return { ok: true, skill, digest: digest.digest, contents: inspectContents(located), trustedBecause };
    },
    async grant(name, digest) {
      const found = find(name);
      return found.ok ? trust.grant(found.skill, digest) : found;
    },
    async revoke(name) {
      const found = find(name);
      return found.ok ? trust.revoke(found.skill) : found;
    },
    judge: (skill) => trust.judge(skill),
  };
}
