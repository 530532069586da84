import { z } from 'zod';

import { giveSkills, type AgentChoice } from '../../engine/give-skills.ts';
import type { SkillAgents } from '../../engine/skill-agents.ts';
import { findForeignSkills } from '../../hosts/importing/find-foreign-skills.ts';
import type { PreviousSkill } from '../../install/changes/previous-version.ts';
import type { SkillUpdate, UpdateCheck } from '../../install/check-updates.ts';
import { listScopes, type InstallScope } from '../../install/install-place.ts';
import type { VerifiedPlugin } from '../../install/install-record.ts';
import type { InstallDecisions, InstallPreview, InstallResult } from '../../install/install-request.ts';
import { SkillInstaller, type InstalledPlugin } from '../../install/installer.ts';
import type { RepositorySkill } from '../../install/origins/find-skills.ts';
import type { ChosenUpdate } from '../../install/update-skills.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { change, job, read, type ConsoleContext, type Working } from '../endpoint.ts';
import { host, MOST, name, named, nothing, scope } from '../input-fields.ts';
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
  /** The SKILL.md of its copy in the catalog. */
  readonly file: string | undefined;
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
  const { name: own, locked, skill, isTrusted } = plugin;
  const compared = verified.find((one) => one.name === own);
  return {
    name: own,
    scope: where,
    file: skill?.file,
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
export const rollBack = change(one, async (context, wanted) => {
  const done = await openInstaller(context, wanted.scope).rollback(wanted.name);
  if (!done.ok) return done;
  const given = await give(context, [wanted.name], { scope: wanted.scope });
  if (!given.ok) return given;
  const [from, to] = [
    nameChoice(done.before.origin) ?? 'this state',
    nameChoice(done.after.origin) ?? 'the one before',
  ];
  return { ok: true, said: `${wanted.name}: ${from} → ${to}` };
});

/** Lets updates leave a skill alone, or update it again. */
export const holdInstalled = change(one.extend({ isHeld: z.boolean() }), async (context, given) => {
  const installer = openInstaller(context, given.scope);
  const done = await (given.isHeld ? installer.hold(given.name) : installer.unhold(given.name));
  return done.ok ? { ok: true, said: `Changed ${done.file}` } : done;
});

export const removeInstalled = change(one, async (context, given) => {
  const installer = openInstaller(context, given.scope);
  const found = await installer.find(given.name);
  if (!found.ok) return found;
  const done = await installer.remove(given.name);
  if (!done.ok) return done;
  const own = found.plugin.skill?.name ?? given.name;
  const taken = await give(context, [own], { scope: given.scope, choose: { how: 'default' } });
  return taken.ok ? { ok: true, said: `Removed ${done.dir}` } : taken;
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
      return fail(
        'INSTALL_FAILED',
        `"${wanted}" has changed since you looked at it, so it was not updated; review it once more`,
        { retry: 'now' },
      );
    const updated = done.updated.map((update) => update.name);
    const given = await give(context, updated, { scope: where });
    return given.ok ? { ok: true, updated } : given;
  },
);

/** Carries out which agents shall have skills, and says which have them then. */
async function give(
  { place }: ConsoleContext,
  names: readonly string[],
  { scope: where, choose }: { readonly scope: InstallScope; readonly choose?: AgentChoice | undefined },
): Promise<Outcome<{ readonly skills: readonly SkillAgents[] }>> {
  const done = await giveSkills(names, { ...place, choose, project: where === 'project' });
  return done.ok ? { ok: true, skills: done.given.skills } : done;
}

const paths = z.array(z.string().max(1_024)).max(1_000).readonly();
const digests = z.array(z.string().max(128)).max(1_000).readonly();
/** The agents that shall have the skills, if not those of the default. */
const agents = z.array(host).max(64).readonly().optional();

/** Skills at an address; none are named if there is one. */
const address = z.strictObject({ url: z.string().min(1).max(4_096), scope, skills: paths });

/** Fetches an address and shows what it would install; installs nothing. Of several skills, the person picks first. */
export const lookAtAddress = job(
  address,
  async (context, { url, scope: where, skills }, working) =>
    look(working, (decisions) =>
      openInstaller(context, where).install({ url, skills: someOf(skills), signal: working.signal }, decisions),
    ),
  { changes: false },
);

/** Installs skills in the state that the person saw: `digests`. */
export const installFromAddress = job(
  address.extend({ digests, agents }),
  async (context, { url, scope: where, skills, digests: seen, agents: chosen }, working) => {
    const wish = { url, skills: someOf(skills), replace: true, signal: working.signal };
    const done = await installAsSeen(working, seen, (decisions) =>
      openInstaller(context, where).install(wish, decisions),
    );
    if (!done.ok) return done;
    const choose = chosen === undefined ? undefined : ({ how: 'only', agents: chosen } as const);
    const given = await give(context, done.names, { scope: where, choose });
    return given.ok ? { ok: true, installed: done.names, agents: given.skills } : given;
  },
);

/** The skills that other tools installed for the user, and that are not installed by Skillplane. */
export const listForeign = read(nothing, async (context) => {
  const installed = await openInstaller(context, 'user').list();
  const known = new Set(installed.ok ? installed.plugins.map((plugin) => plugin.name) : []);
  const found = findForeignSkills(context.place).skills.filter((skill) => !known.has(skill.name));
  return { ok: true, skills: found.map(({ name: own, tool, folder }) => ({ name: own, tool, folder })) };
});

const foreign = z.strictObject({ names: z.array(name).min(1).max(MOST).readonly() });

/** Shows what an import of skills of other tools would install; installs nothing. */
export const lookAtForeign = job(
  foreign,
  async (context, { names }, working) => look(working, (decisions) => takeOver(context, names, working, decisions)),
  { changes: false },
);

/** Imports skills in the state that the person saw. The files of the other tools stay as they are. */
export const importForeign = job(foreign.extend({ digests }), async (context, { names, digests: seen }, working) => {
  const done = await installAsSeen(working, seen, (decisions) => takeOver(context, names, working, decisions));
  if (!done.ok) return done;
  const given = await give(context, done.names, { scope: 'user' });
  return given.ok ? { ok: true, installed: done.names, agents: given.skills } : given;
});

function takeOver(
  context: ConsoleContext,
  names: readonly string[],
  { signal }: Working,
  decisions: InstallDecisions,
): Promise<InstallResult> {
  const skills = findForeignSkills(context.place).skills.filter((skill) => names.includes(skill.name));
  return openInstaller(context, 'user').takeOver({ skills, signal }, decisions);
}

type Install = (decisions: InstallDecisions) => Promise<InstallResult>;

/** Does everything up to the decision, and says what it would be about. */
async function look(working: Working, install: Install) {
  const offered: RepositorySkill[] = [];
  const seen: InstallPreview[] = [];
  const done = await install({
    async pick(found) {
      offered.push(...found);
      return undefined;
    },
    async confirm(preview) {
      seen.push(preview);
      return false;
    },
    onProgress: reportTo(working),
  });
  const [preview] = seen;
  if (!done.ok && preview === undefined && offered.length === 0) return done;
  return {
    ok: true as const,
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
}

/** Installs if everything is still in a state that the person saw. */
async function installAsSeen(
  working: Working,
  seen: readonly string[],
  install: Install,
): Promise<Outcome<{ readonly names: readonly string[] }>> {
  let isOther = false;
  const done = await install({
    async confirm(preview) {
      isOther = preview.skills.some(({ entry }) => !seen.includes(entry.digest));
      return !isOther;
    },
    onProgress: reportTo(working),
  });
  if (isOther)
    return fail(
      'INSTALL_FAILED',
      'The skills have changed since you looked at them, so nothing was installed. Review them once more.',
      {
        retry: 'now',
      },
    );
  return done.ok ? { ok: true, names: done.installed.map((skill) => skill.name) } : done;
}

function someOf(skills: readonly string[]): readonly string[] | undefined {
  return skills.length === 0 ? undefined : skills;
}

const STEPS = { fetch: 'Fetching', check: 'Checking', write: 'Writing' } as const;

function reportTo({ report }: Working): NonNullable<InstallDecisions['onProgress']> {
  return ({ phase, percent }) => report({ step: STEPS[phase], percent });
}
