import { SkillInstaller, type InstalledPlugin, type VerifiedPlugin } from '../../install.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import type { ChangeAnswer, ConsoleContext, ReadAnswer } from '../console-context.ts';
import type { InstalledRow, Scope } from '../wire/installed.ts';

export const SCOPES: readonly Scope[] = ['project', 'user'];

export function openInstaller({ place }: Pick<ConsoleContext, 'place'>, scope: Scope): SkillInstaller {
  return new SkillInstaller({ ...place, scope });
}

/** Everything that is installed, compared with its lock. */
export const listInstalled: ReadAnswer<'installed'> = async (context) => {
  const skills: InstalledRow[] = [];
  const failures: string[] = [];
  for (const scope of SCOPES) {
    const installer = openInstaller(context, scope);
    const [listed, verified] = [await installer.list(), await installer.verify()];
    if (listed.ok && verified.ok)
      skills.push(...listed.plugins.map((plugin) => toRow(plugin, { scope, verified: verified.plugins })));
    // The home is no project.
    else if (!listed.ok && !(scope === 'project' && listed.code === 'INSTALL_FAILED')) failures.push(listed.message);
  }
  return { ok: true, skills, failures };
};

interface RowContext {
  readonly scope: Scope;
  readonly verified: readonly VerifiedPlugin[];
}

function toRow(
  { name, dir, locked, skill, isTrusted }: InstalledPlugin,
  { scope, verified }: RowContext,
): InstalledRow {
  const compared = verified.find((one) => one.name === name);
  return {
    name,
    scope,
    dir,
    address: locked === undefined ? null : showAddress(locked.origin),
    choice: locked === undefined ? null : (nameChoice(locked.origin) ?? null),
    isHeld: locked?.held ?? false,
    isTrusted,
    state: skill?.status ?? null,
    files: compared?.state ?? 'unlocked',
    changes: (compared?.changes ?? []).map(({ path, kind }) => `${kind} ${path}`),
  };
}

/** The versions of one skill, if it was installed. */
export const viewVersions: ReadAnswer<'skill/versions'> = async (context, { name }) => {
  const found = context.skills.find(name);
  if (!found.ok) return found;
  for (const scope of SCOPES) {
    const installer = openInstaller(context, scope);
    const listed = await installer.list();
    const plugin = listed.ok ? listed.plugins.find(({ dir }) => dir === found.skill.dir) : undefined;
    if (plugin === undefined) continue;
    const verified = await installer.verify([plugin.name]);
    if (!verified.ok) return verified;
    const installed = toRow(plugin, { scope, verified: verified.plugins });
    if (plugin.locked === undefined) return { ok: true, installed, previous: null };
    const kept = await installer.previous(plugin.name);
    if (!kept.ok) return kept;
    const { previous } = kept;
    if (previous === undefined) return { ok: true, installed, previous: null };
    const { entry, changes, diff } = previous;
    const lines = changes.map(({ path, kind }) => `${kind} ${path}`);
    return { ok: true, installed, previous: { choice: nameChoice(entry.origin) ?? null, changes: lines, diff } };
  }
  return { ok: true, installed: null, previous: null };
};

/** Returns to the version before; a second time comes back. */
export const rollBack: ChangeAnswer<'installed/rollback'> = async (context, { name, scope }) => {
  const done = await openInstaller(context, scope).rollback(name);
  if (!done.ok) return done;
  await context.announce();
  const [from, to] = [
    nameChoice(done.before.origin) ?? 'this state',
    nameChoice(done.after.origin) ?? 'the one before',
  ];
  return { ok: true, said: `${name}: ${from} → ${to}` };
};

/** Lets updates leave a skill alone, or update it again. */
export const holdInstalled: ChangeAnswer<'installed/hold'> = async (context, { name, scope, isHeld }) => {
  const installer = openInstaller(context, scope);
  const done = await (isHeld ? installer.hold(name) : installer.unhold(name));
  if (!done.ok) return done;
  await context.announce();
  return { ok: true, said: `Changed ${done.file}` };
};

export const removeInstalled: ChangeAnswer<'installed/remove'> = async (context, { name, scope }) => {
  const done = await openInstaller(context, scope).remove(name);
  if (!done.ok) return done;
  await context.announce();
  return { ok: true, said: `Removed ${done.dir}` };
};
