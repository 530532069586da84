import type { ChosenUpdate, SkillUpdate, UpdateCheck } from '../../install.ts';
import { nameChoice } from '../../model/origin.ts';
import { fail } from '../../model/outcome.ts';
import { toFindingView } from '../answers/finding-view.ts';
import type { JobAnswer } from '../console-context.ts';
import type { Scope, UpdateList, UpdateRow } from '../wire/installed.ts';
import { openInstaller, SCOPES } from './list-installed.ts';

/** Looks for newer versions of everything that is installed, and takes none. */
export const lookForUpdates: JobAnswer<'updates/check'> = async (context, { only }, { signal, report }) => {
  const found: UpdateList[] = [];
  for (const scope of only === undefined ? SCOPES : [only.scope]) {
    report({ step: `Looking for newer versions (${scope})` });
    const seen: UpdateCheck[] = [];
    const rows: UpdateRow[] = [];
    const decide = async (check: UpdateCheck): Promise<readonly ChosenUpdate[]> => {
      seen.push(check);
      rows.push(...check.updates.map((update) => toRow(update, scope)));
      return [];
    };
    const done = await openInstaller(context, scope).update(only === undefined ? [] : [only.name], decide, {
      signal,
    });
    if (!done.ok && !(scope === 'project' && done.code === 'INSTALL_FAILED')) return done;
    const [check] = seen;
    if (check === undefined) continue;
    const failed = check.failed.map(({ name, code, message, hint }) => ({ name, code, message, hint: hint ?? null }));
    found.push({ updates: rows, current: check.current, held: check.held, pinned: check.pinned, failed });
  }
  return {
    ok: true,
    updates: found.flatMap((one) => one.updates),
    current: found.flatMap((one) => one.current),
    held: found.flatMap((one) => one.held),
    pinned: found.flatMap((one) => one.pinned),
    failed: found.flatMap((one) => one.failed),
  };
};

function toRow(update: SkillUpdate, scope: Scope): UpdateRow {
  const { name, before, after, changes, localChanges, addedFindings, refused } = update;
  return {
    name,
    scope,
    from: nameChoice(before.origin) ?? null,
    to: nameChoice(after.entry.origin) ?? null,
    digest: after.entry.digest,
    changes: changes.map(({ path, kind }) => `${kind} ${path}`),
    localChanges: localChanges.map(({ path, kind }) => `${kind} ${path}`),
    addedFindings: addedFindings.map((finding) => toFindingView(finding, refused)),
    isRefused: refused.length > 0,
    diff: update.diff(),
  };
}

/** Installs one update in the state that the person saw. */
export const applyUpdate: JobAnswer<'updates/apply'> = async (context, { name, scope, digest }, { signal, report }) => {
  report({ step: `Fetching ${name}` });
  let isOther = false;
  const decide = async ({ updates }: UpdateCheck): Promise<readonly ChosenUpdate[]> => {
    const seen = updates.filter(({ after }) => after.entry.digest === digest);
    isOther = seen.length === 0;
    // The page showed the findings before the person said yes.
    return seen.map((update) => ({ ...update, isAccepted: true }));
  };
  const done = await openInstaller(context, scope).update([name], decide, { signal });
  if (!done.ok) return done;
  if (isOther) return fail('INSTALL_FAILED', `"${name}" has changed since you looked`, 'Look for updates again.');
  await context.announce();
  return { ok: true, updated: done.updated.map((one) => one.name) };
};
