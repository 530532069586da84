import { z } from 'zod';

import type { PreviousSkill } from '../../install/changes/previous-version.ts';
import type { SkillUpdate, UpdateCheck } from '../../install/check-updates.ts';
import { listScopes, type InstallScope } from '../../install/install-place.ts';
import type { VerifiedPlugin } from '../../install/install-record.ts';
import type { InstallDecisions, InstallPreview } from '../../install/install-request.ts';
import { SkillInstaller, type InstalledPlugin } from '../../install/installer.ts';
import type { RepositorySkill } from '../../install/origins/find-skills.ts';
import type { ChosenUpdate } from '../../install/update-skills.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import { fail } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { change, job, read, type ConsoleContext, type Working } from '../endpoint.ts';
import { name, named, nothing, scope } from '../input-fields.ts';
import { showFinding } from './trust.ts';

function openInstaller({ place }: ConsoleContext, where: InstallScope): SkillInstaller {
  return new SkillInstaller({ ...place, scope: where });
}

/** Everything that is installed, compared with its lock. */
export const listInstalled = read(nothing, async (context) => {
  const skills: InstalledRow[] = [];
  const failures: string[] = [];
  for (const where of listScopes(context.place)) {
    const installer = openInstaller(context, where);
    const [listed, verified] = [await installer.list(), await installer.verify()];
    if (listed.ok && verified.ok)
      skills.push(...listed.plugins.map((plugin) => toRow(plugin, where, verified.plugins)));
    else if (!listed.ok) failures.push(listed.message);
  }
  return { ok: true, skills, failures };
});

export interface InstalledRow {
  readonly name: string;
  readonly scope: InstallScope;
  readonly dir: string;
  readonly address: string | undefined;
  readonly choice: string | undefined;
  readonly isHeld: boolean;
  readonly isTrusted: boolean;
  readonly state: Skill['status'] | undefined;
  /** How its files compare with the lock. */
  readonly files: VerifiedPlugin['state'];
  readonly changes: readonly string[];
}

function toRow(plugin: InstalledPlugin, where: InstallScope, verified: readonly VerifiedPlugin[]): InstalledRow {
  const { name: own, dir, locked, skill, isTrusted } = plugin;
  const compared = verified.find((one) => one.name === own);
  return {
    name: own,
    scope: where,
    dir,
    address: locked && showAddress(locked.origin),
    choice: locked && nameChoice(locked.origin),
    isHeld: locked?.held ?? false,
    isTrusted,
    state: skill?.status,
    files: compared?.state ?? 'unlocked',
    changes: listChanges(compared?.changes ?? []),
  };
}

function listChanges(changes: readonly { readonly path: string; readonly kind: string }[]): readonly string[] {
  return changes.map(({ path, kind }) => `${kind} ${path}`);
}

/** The versions of one skill that are on this machine; none if it was not installed. */
export const viewVersions = read(named, async (context, { name: wanted }) => {
  const found = context.skills.find(wanted);
  if (!found.ok) return found;
  for (const where of listScopes(context.place)) {
    const installer = openInstaller(context, where);
    const listed = await installer.list();
    const plugin = listed.ok ? listed.plugins.find(({ dir }) => dir === found.skill.dir) : undefined;
    if (plugin === undefined) continue;
    const verified = await installer.verify([plugin.name]);
    if (!verified.ok) return verified;
    const installed = toRow(plugin, where, verified.plugins);
    const kept = plugin.locked === undefined ? undefined : await installer.previous(plugin.name);
    if (kept?.ok === false) return kept;
    return { ok: true, installed, previous: kept?.previous && describePrevious(kept.previous) };
  }
  return { ok: true, installed: undefined, previous: undefined };
});

/** The version that a rollback returns to. */
function describePrevious({ entry, changes, diff }: PreviousSkill): {
  readonly choice: string | undefined;
  readonly changes: readonly string[];
  readonly diff: string;
} {
  return { choice: nameChoice(entry.origin), changes: listChanges(changes), diff };
}

const one = z.strictObject({ name, scope });

/** Returns to the version before; a second time comes back. */
export const rollBack = change(one, async (context, given) => {
  const done = await openInstaller(context, given.scope).rollback(given.name);
  if (!done.ok) return done;
  const [from, to] = [
    nameChoice(done.before.origin) ?? 'this state',
    nameChoice(done.after.origin) ?? 'the one before',
  ];
  return { ok: true, said: `${given.name}: ${from} → ${to}` };
});

/** Lets updates leave a skill alone, or update it again. */
export const holdInstalled = change(one.extend({ isHeld: z.boolean() }), async (context, given) => {
  const installer = openInstaller(context, given.scope);
  const done = await (given.isHeld ? installer.hold(given.name) : installer.unhold(given.name));
  return done.ok ? { ok: true, said: `Changed ${done.file}` } : done;
});

export const removeInstalled = change(one, async (context, given) => {
  const done = await openInstaller(context, given.scope).remove(given.name);
  return done.ok ? { ok: true, said: `Removed ${done.dir}` } : done;
});

/** Looks for newer versions of one installed skill, or of all, and takes none. */
export const lookForUpdates = job(
  z.strictObject({ only: one.optional() }),
  async (context, { only }, { signal, report }) => {
    const updates: UpdateRow[] = [];
    const rest: Pick<UpdateCheck, 'current' | 'held' | 'pinned' | 'failed'>[] = [];
    for (const where of only === undefined ? listScopes(context.place) : [only.scope]) {
      report({ step: `Checking for updates (${where})` });
      const decide = async (check: UpdateCheck): Promise<readonly ChosenUpdate[]> => {
        rest.push(check);
        updates.push(...check.updates.map((update) => showUpdate(update, where)));
        return [];
      };
      const names = only === undefined ? [] : [only.name];
      const done = await openInstaller(context, where).update(names, decide, { signal });
      if (!done.ok) return done;
    }
    return {
      ok: true,
      updates,
      current: rest.flatMap(({ current }) => current),
      held: rest.flatMap(({ held }) => held),
      pinned: rest.flatMap(({ pinned }) => pinned),
      failed: rest.flatMap(({ failed }) => failed),
    };
  },
  { changes: false },
);

type UpdateRow = ReturnType<typeof showUpdate>;

function showUpdate(update: SkillUpdate, where: InstallScope) {
  const { name: own, before, after, changes, localChanges, addedFindings, refused } = update;
  return {
    name: own,
    scope: where,
    from: nameChoice(before.origin),
    to: nameChoice(after.entry.origin),
    /** The state that the update brings; accepting it is bound to it. */
    digest: after.entry.digest,
    changes: listChanges(changes),
    /** Files that were changed here and would be replaced. */
    localChanges: listChanges(localChanges),
    addedFindings: addedFindings.map((finding) => showFinding(finding, refused)),
    isRefused: refused.length > 0,
    diff: update.diff(),
  };
}

/** Installs one update in the state that the person saw. */
export const applyUpdate = job(
  one.extend({ digest: z.string().max(128) }),
  async (context, { name: wanted, scope: where, digest }, { signal, report }) => {
    report({ step: `Fetching ${wanted}` });
    let isOther = false;
    const decide = async ({ updates }: UpdateCheck): Promise<readonly ChosenUpdate[]> => {
      const seen = updates.filter(({ after }) => after.entry.digest === digest);
      isOther = seen.length === 0;
      // The page showed the findings before the person said yes.
      return seen.map((update) => ({ ...update, isAccepted: true }));
    };
    const done = await openInstaller(context, where).update([wanted], decide, { signal });
    if (!done.ok) return done;
    if (isOther)
      return fail('INSTALL_FAILED', `"${wanted}" has changed in the meantime; review it once more`, { retry: 'now' });
    return { ok: true, updated: done.updated.map((update) => update.name) };
  },
);

/** Skills at an address; none are named if there is one. */
const address = z.strictObject({
  url: z.string().min(1).max(4_096),
  scope,
  skills: z.array(z.string().max(1_024)).max(1_000).readonly(),
});

/** Fetches an address and shows what it would install; installs nothing. Of several skills, the person picks first. */
export const lookAtAddress = job(
  address,
  async (context, { url, scope: where, skills }, working) => {
    const offered: RepositorySkill[] = [];
    const seen: InstallPreview[] = [];
    const decisions: InstallDecisions = {
      async pick(found) {
        offered.push(...found);
        return undefined;
      },
      async confirm(preview) {
        seen.push(preview);
        return false;
      },
      onProgress: reportTo(working),
    };
    const wish = { url, skills: given(skills), signal: working.signal };
    const done = await openInstaller(context, where).install(wish, decisions);
    const [preview] = seen;
    if (!done.ok && preview === undefined && offered.length === 0) return done;
    return {
      ok: true,
      /** The skills to pick from. */
      offered: offered.map(({ name: own, description, path }) => ({ name: own, description, path })),
      from: preview?.from,
      choice: preview?.choice,
      /** The skills that would be installed. */
      skills: (preview?.skills ?? []).map(({ skill, entry, audit, refused, conflict }) => ({
        name: entry.name,
        description: skill.description,
        digest: entry.digest,
        files: entry.files.length,
        verdict: audit.verdict,
        findings: audit.lines,
        isRefused: refused.length > 0,
        /** The skill elsewhere that it hides, or that hides it. */
        conflict: conflict?.phrase,
      })),
      skipped: (preview?.skipped ?? []).map(({ name: own, message }) => `${own}: ${message}`),
      notices: preview?.notices ?? [],
    };
  },
  { changes: false },
);

function given(skills: readonly string[]): readonly string[] | undefined {
  return skills.length === 0 ? undefined : skills;
}

/** Installs skills in the state that the person saw: `digests`. */
export const installFromAddress = job(
  address.extend({ digests: z.array(z.string().max(128)).max(1_000).readonly() }),
  async (context, { url, scope: where, skills, digests }, working) => {
    let isOther = false;
    const decisions: InstallDecisions = {
      async confirm(preview) {
        isOther = preview.skills.some(({ entry }) => !digests.includes(entry.digest));
        return !isOther;
      },
      onProgress: reportTo(working),
    };
    const wish = { url, skills: given(skills), replace: true, signal: working.signal };
    const done = await openInstaller(context, where).install(wish, decisions);
    if (isOther) return fail('INSTALL_FAILED', 'the skills have changed; review them once more', { retry: 'now' });
    return done.ok ? { ok: true, installed: done.installed.map((skill) => skill.name) } : done;
  },
);

const STEPS = { fetch: 'Fetching', check: 'Checking', write: 'Writing' } as const;

function reportTo({ report }: Working): NonNullable<InstallDecisions['onProgress']> {
  return ({ phase, percent }) => report({ step: STEPS[phase], percent });
}
