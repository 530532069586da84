import type { AllowedRules } from '../catalog/allowed-rules.ts';
import { isBroken } from '../catalog/broken.ts';
import { fetchLocated, openJudged, type LocatedSkill } from '../catalog/locate.ts';
import { isTrustedByPlace, type Trust } from '../catalog/trust.ts';
import type { AuditLimit } from '../model/config.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { AuditVerdict, AuditVerdicts } from './audit-verdicts.ts';

/** Decides which skills models are given the text of. */
export interface ServingGate {
  /**
   * Fails with `AUDIT_REFUSED` and the findings if a skill has findings that `auditFailOn` refuses, unless it is trusted, or
   * their rules are allowed, in the state that its folder has now. A skill is audited here for the first time, and again
   * if anything in its folder changes.
   */
  admit(located: LocatedSkill): Promise<Outcome<Admission>>;
  /**
   * The same answer for many skills, as far as it is known. If only a few small skills are unknown, they are audited;
   * otherwise those are left out. So are broken skills.
   */
  survey(skills: readonly Skill[]): Promise<ReadonlyMap<Skill, Outcome>>;
}

/** `caution`: a sentence for models about grave findings below the limit, unless the skill is trusted or their rules are allowed. */
export interface Admission {
  readonly caution?: string;
}

export interface GateParts {
  /** Reads `auditFailOn`. */
  readonly readLimit: () => AuditLimit;
  readonly verdicts: AuditVerdicts;
  readonly trust: Trust;
  readonly allowed: AllowedRules;
  readonly locate: (skill: Skill) => Outcome<LocatedSkill>;
}

/** Auditing these takes about a tenth of a second. */
const MAX_SURVEYED_SKILLS = 32;
const MAX_SURVEYED_BYTES: number = 512 * 1024;

export function openServingGate({ readLimit, verdicts, trust, allowed, locate }: GateParts): ServingGate {
  const decide = async (skill: Skill, verdict: AuditVerdict): Promise<Outcome<Admission>> => {
    const { findings, noted = [], digest } = verdict;
    if (findings.length + noted.length === 0) return ADMITTED;
    if (digest !== undefined && trust.isGranted(skill, digest)) return ADMITTED;
    const known = digest === undefined ? NOTHING_ALLOWED : allowed.find(digest);
    if (!known.ok) return known;
    const { listRefused, noteFindings, withholdFindings } = await import('../audit/policy.ts');
    const refused = listRefused(findings, known.rules);
    if (refused.length > 0) return withholdFindings(skill.name, refused);
    const rest = listRefused(noted, known.rules);
    return rest.length === 0 ? ADMITTED : { ok: true, caution: noteFindings(rest) };
  };
  const admit = async (located: LocatedSkill, limit: AuditLimit): Promise<Outcome<Admission>> => {
    const verdict = await verdicts.verdictOn(located, limit);
    return verdict.ok ? decide(located.skill, verdict) : verdict;
  };
  return {
    async admit(located) {
      const fetched = await fetchLocated(located);
      if (!fetched.ok) return fetched;
      if (isTrustedByPlace(located.skill)) return ADMITTED;
      const limit = readLimit();
      if (limit === 'never') return ADMITTED;
      const admitted = await admit(located, limit);
      // Saved right away: a server can run for days and end without notice.
      verdicts.save();
      return admitted;
    },
    async survey(skills) {
      const limit = readLimit();
      const answers = new Map<Skill, Outcome>();
      const unknown: Skill[] = [];
      for (const skill of skills.filter((one) => !isBroken(one))) {
        const isServed = limit === 'never' || isTrustedByPlace(skill);
        const verdict = isServed ? NOTHING_FOUND : verdicts.knownVerdict(skill, limit);
        if (verdict === undefined) unknown.push(skill);
        else answers.set(skill, verdict.findings.length === 0 ? ADMITTED : await decide(skill, verdict));
      }
      const small = unknown.length > MAX_SURVEYED_SKILLS ? [] : listSmall(unknown.map(locate));
      for (const located of small) answers.set(located.skill, await admit(located, limit));
      return answers;
    },
  };
}

const ADMITTED = { ok: true } as const;
const NOTHING_FOUND: AuditVerdict = { findings: [] };
const NOTHING_ALLOWED = { ok: true, rules: [] } as const;

/** The first skills, as long as they are small together. */
function listSmall(found: readonly Outcome<LocatedSkill>[]): readonly LocatedSkill[] {
  let bytes = 0;
  return (
    found
      .filter((located) => located.ok)
      // To list a skill is not to use it: nothing is read from a source for that.
      .filter(({ folder }) => folder?.isFetched !== false)
      .filter((located) => {
        bytes += openJudged(located)
          .files()
          .files.reduce((sum, { size }) => sum + size, 0);
        return bytes <= MAX_SURVEYED_BYTES;
      })
  );
}
