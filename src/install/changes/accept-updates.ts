import { refuseFindings } from '../../audit/policy.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { AuditGate } from '../audit-gate.ts';
import { toSkipped } from '../staging/name-skills.ts';
import type { SkillUpdate, UpdateCheck } from './check-updates.ts';

/** An update to install. */
export interface ChosenUpdate extends SkillUpdate {
  /** A person has seen the audit and accepts it. */
  readonly isAccepted?: boolean | undefined;
}

export interface AcceptedUpdates {
  readonly updated: readonly SkillUpdate[];
  /** Updates that their audit refuses. */
  readonly refused: UpdateCheck['failed'];
}

/** Leaves out updates that `auditFailOn` refuses, and remembers what was accepted for the others. */
export async function acceptUpdates(
  chosen: readonly ChosenUpdate[],
  gate: AuditGate,
): Promise<Outcome<AcceptedUpdates>> {
  const isRefused = ({ isAccepted, refused }: ChosenUpdate): boolean => isAccepted !== true && refused.length > 0;
  const updated = chosen.filter((update) => !isRefused(update));
  const remembered = await gate.remember(
    updated.map(({ name, after, rules }) => ({ name, digest: after.entry.digest, rules })),
  );
  if (!remembered.ok) return remembered;
  const refused = chosen.filter(isRefused).map(({ name, refused: findings }) => {
    return toSkipped(name, refuseFindings(name, findings));
  });
  return { ok: true, updated, refused };
}
