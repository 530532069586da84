import { z } from 'zod';

import type { AuditFinding } from '../../audit/report.ts';
import { AUDIT_ADVICE, describeCounts, describePlace } from '../../audit/summary.ts';
import { change, read } from '../endpoint.ts';
import { MOST, name, named } from '../input-fields.ts';

/** The audit of a skill, and what trusting it would allow. */
export const inspectTrust = read(named, async ({ skills }, { name: wanted }) => {
  const inspected = await skills.trust.inspect(wanted);
  if (!inspected.ok) return inspected;
  const { skill, audit, digest, realDir, scripts, toolsets, trustedBecause, trustedBy, refused } = inspected;
  return {
    ok: true,
    /** Undefined if it is not trusted. */
    because: trustedBecause,
    trustedBy,
    isRevocable: trustedBy === 'user',
    /** Trust is given to exactly this state. */
    digest,
    realDir,
    scripts,
    toolsets,
    hosts: audit.hosts.map((host) => host.name),
    commands: audit.commands.map((command) => command.name),
    findings: audit.findings.map((finding) => showFinding(finding, refused)),
    verdict: describeCounts(audit.counts),
    advice: AUDIT_ADVICE,
    withheld: await skills.trust.findWithheld(skill),
  };
});

/** A finding with its place in words. `refused`: those that a person must accept. */
export function showFinding(
  finding: AuditFinding,
  refused: readonly AuditFinding[],
): AuditFinding & { readonly place: string; readonly isRefused: boolean } {
  return { ...finding, place: describePlace(finding), isRefused: refused.includes(finding) };
}

/** Trusts a skill in the state that the person saw. `allow`: the rules whose findings the person accepts. */
export const grantTrust = change(
  z.strictObject({ name, digest: z.string().max(128), allow: z.array(z.string().max(64)).max(MOST).readonly() }),
  ({ skills }, { name: wanted, digest, allow }) => skills.trust.grant(wanted, digest, { allow }),
);

export const revokeTrust = change(named, ({ skills }, { name: wanted }) => skills.trust.revoke(wanted));
