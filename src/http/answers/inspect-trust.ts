import { AUDIT_ADVICE, countFindings, describeCounts } from '../../audit.ts';
import type { Skills, TrustInspection } from '../../index.ts';
import type { ChangeAnswer, ReadAnswer } from '../console-context.ts';
import type { TrustView } from '../wire/skill.ts';
import { toFindingView } from './finding-view.ts';

/** The audit of a skill, and what trusting it would allow. */
export const inspectTrust: ReadAnswer<'skill/trust'> = async ({ skills }, { name }) => {
  const inspected = await skills.trust.inspect(name);
  if (!inspected.ok) return inspected;
  const { audit, digest, realDir, scripts, toolsets, trustedBecause, refused } = inspected;
  const view: TrustView = {
    because: trustedBecause ?? null,
    digest,
    realDir,
    scripts,
    toolsets,
    hosts: audit.hosts.map(({ name: host }) => host),
    commands: audit.commands.map(({ name: command }) => command),
    findings: audit.findings.map((finding) => toFindingView(finding, refused)),
    verdict: describeCounts(countFindings(audit)),
    advice: AUDIT_ADVICE,
    withheld: await findWithheld(skills, inspected),
  };
  return { ok: true, ...view };
};

async function findWithheld({ trust }: Skills, { skill, realDir }: TrustInspection): Promise<TrustView['withheld']> {
  const admitted = await trust.admit({ skill, realDir });
  return admitted.ok ? null : { code: admitted.code, message: admitted.message, hint: admitted.hint ?? null };
}

/** Trusts a skill in the state that the person saw. */
export const grantTrust: ChangeAnswer<'skill/trust'> = async ({ skills, announce }, { name, digest, allow }) => {
  const granted = await skills.trust.grant(name, digest, { allow });
  if (granted.ok) await announce();
  return granted;
};

export const revokeTrust: ChangeAnswer<'skill/untrust'> = async ({ skills, announce }, { name }) => {
  const revoked = await skills.trust.revoke(name);
  if (revoked.ok) await announce();
  return revoked;
};
