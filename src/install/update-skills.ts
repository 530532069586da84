import { refuseFindings } from '../audit/policy.ts';
import type { Outcome } from '../model/outcome.ts';
import { openAuditGate } from './audit-gate.ts';
import { changeSkills, discardStaged } from './changes/change-skills.ts';
import type { OriginContext } from './changes/skill-change.ts';
import { checkUpdates, type SkillUpdate, type UpdateCheck } from './check-updates.ts';
import type { InstallRecord } from './install-record.ts';
import { toSkipped } from './install-request.ts';

/** An update to install. */
export interface ChosenUpdate extends SkillUpdate {
  /** A person has seen the audit and accepts it. */
  readonly isAccepted?: boolean | undefined;
}

/** Chooses the updates to install. */
export type DecideUpdates = (check: UpdateCheck) => Promise<readonly ChosenUpdate[]>;

export type UpdatedSkills = UpdateCheck & { readonly updated: readonly SkillUpdate[] };

/**
 * Checks these skills for updates and installs the chosen ones in one change, except those that `auditFailOn` refuses.
 * Accepted findings are stored with the skill's digest.
 */
export async function updateSkills(
  records: readonly InstallRecord[],
  decide: DecideUpdates,
  context: OriginContext,
): Promise<Outcome<UpdatedSkills>> {
  const gate = openAuditGate(context, context.options.allow);
  const check = await checkUpdates(records, { ...context, gate });
  let left = check.updates;
  try {
    const chosen = await decide(check);
    const isRefused = ({ isAccepted, refused }: ChosenUpdate): boolean => isAccepted !== true && refused.length > 0;
    const updated = chosen.filter((update) => !isRefused(update));
    const remembered = await gate.accept(updated.map(({ after, rules }) => ({ entry: after.entry, rules })));
    if (!remembered.ok) return remembered;
    const changed: Outcome = updated.length === 0 ? { ok: true } : await changeSkills(updated, context);
    if (!changed.ok) return changed;
    const inPlace = new Set(updated.map(({ after }) => after.dir));
    left = check.updates.filter(({ after }) => !inPlace.has(after.dir));
    const refused = chosen.filter(isRefused).map(({ name, refused: findings }) => {
      return toSkipped(name, refuseFindings(name, findings));
    });
    return { ok: true, ...check, failed: [...check.failed, ...refused], updated };
  } finally {
    discardStaged(
      left.map(({ after }) => after),
      context,
    );
  }
}
