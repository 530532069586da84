import type { Outcome } from '../../model/outcome.ts';
import { openAuditGate } from '../audit-gate.ts';
import type { InstallRecord } from '../install-record.ts';
import { acceptUpdates, type ChosenUpdate } from './accept-updates.ts';
import { changeSkills, discardStaged } from './change-skills.ts';
import { checkAdoptions } from './check-adoptions.ts';
import { checkUpdates, type OriginContext, type SkillUpdate, type UpdateCheck } from './check-updates.ts';

/** Chooses the updates to install. */
export type DecideUpdates = (check: UpdateCheck) => Promise<readonly ChosenUpdate[]>;

export type UpdatedSkills = UpdateCheck & { readonly updated: readonly SkillUpdate[] };

/** Looks for newer versions of these skills and installs the chosen ones, all at once. */
export async function updateSkills(
  records: readonly InstallRecord[],
  decide: DecideUpdates,
  context: OriginContext,
): Promise<Outcome<UpdatedSkills>> {
  const { options } = context;
  const locked = records.flatMap((record) => record.locked ?? []);
  const others = records.flatMap(({ locked: entry, tracked }) => (entry === undefined ? (tracked ?? []) : []));
  const known = await checkUpdates(locked, context);
  const adopted = await checkAdoptions(others, context);
  const updates = [...known.updates, ...adopted.updates];
  const check = { ...known, updates, failed: [...known.failed, ...adopted.failed] };
  let left = updates;
  try {
    const accepted = await acceptUpdates(await decide(check), openAuditGate(context, options.allow));
    if (!accepted.ok) return accepted;
    const { updated, refused } = accepted;
    const changed = updated.length === 0 ? accepted : await changeSkills(updated, context);
    if (!changed.ok) return changed;
    const inPlace = new Set(updated.map(({ after }) => after.dir));
    left = updates.filter(({ after }) => !inPlace.has(after.dir));
    return { ok: true, ...check, failed: [...check.failed, ...refused], updated };
  } finally {
    discardStaged(
      left.map(({ after }) => after),
      context,
    );
  }
}
