import { openStore } from '../catalog/store.ts';
import { openTrust } from '../catalog/trust.ts';
import { readConfig, userConfigFile } from '../config/read-config.ts';
import type { PluginDefinition } from '../model/config.ts';
import { listSome } from '../model/list-some.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { quoteWord } from '../model/shell-word.ts';
import type { Skill } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { isTaken } from '../platform/files/files.ts';
import { finishPendingChanges } from '../platform/files/pending-changes.ts';
import { openStateFolder } from '../platform/files/state-folder.ts';
import { sweepLeftovers } from '../platform/files/sweep-leftovers.ts';
import { openSyncQueue } from '../platform/files/sync-queue.ts';
import type { PreviousSkill } from './changes/compare-previous.ts';
import type { HeldSkill } from './changes/hold-skill.ts';
import type { ChangeContext, CheckOptions } from './changes/skill-change.ts';
import { findInstallPlace, findLeftovers, INSTALL_PATIENCE, type InstallScope } from './install-place.ts';
import {
  findLockDamage,
  listRecords,
  MAX_NAMED,
  nameForgotten,
  verifyRecord,
  type InstallRecord,
  type VerifiedPlugin,
} from './install-record.ts';
import type { InstallDecisions, InstallReport, InstallRequest } from './install-request.ts';
import { readInstalled } from './read-installed.ts';
import type { RestoreReport } from './restore.ts';
import type { TakeOverRequest } from './take-over.ts';
import type { DecideUpdates, UpdatedSkills } from './update-skills.ts';

export interface InstallerOptions extends EnvironmentOptions {
  /** Install for the user (the default) or into the project. */
  readonly scope?: InstallScope | undefined;
  /** Called with a sentence that says for whom an operation waits, if another process is installing. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** An installed skill, with its state in the catalog. */
export interface InstalledPlugin extends InstallRecord {
  /** The skill in the catalog; undefined if the folder holds no valid skill. */
  readonly skill: Skill | undefined;
  readonly isTrusted: boolean;
}

type OpenedPlace = Outcome<
  Pick<ChangeContext, 'place' | 'failOn'> & {
    /** The skills that the configuration lists. */
    readonly plugins: readonly PluginDefinition[];
  }
>;

/**
 * Installs skills from repositories and directories, and records them in a lock file. Lazy: the code for each
 * operation is loaded when it is called.
 */
export class SkillInstaller {
  readonly #environment: Environment;
  readonly #scope: InstallScope;
  readonly #onWait: InstallerOptions['onWait'];

  constructor({ scope = 'user', onWait, ...options }: InstallerOptions = {}) {
    this.#onWait = onWait;
    this.#environment = readEnvironment(options);
    this.#scope = scope;
  }

  /** Fetches, checks and installs skills. Everything is installed, or nothing is. */
  install(request: InstallRequest, decisions: InstallDecisions = {}): Promise<Outcome<InstallReport>> {
    return this.#change(async (context) => {
      const { installSkills } = await import('./install-skills.ts');
      return installSkills(request, decisions, context);
    });
  }

  /** Installs copies of skills that other tools have installed (`findForeignSkills`), with their origins. */
  takeOver(request: TakeOverRequest, decisions: InstallDecisions = {}): Promise<Outcome<InstallReport>> {
    return this.#change(async (context) => {
      const { takeOver } = await import('./take-over.ts');
      return takeOver(request, decisions, context);
    });
  }

  /** Installs exactly the versions in the lock: all of them, or the skills named. */
  restore(names: readonly string[] = [], options: CheckOptions = {}): Promise<Outcome<RestoreReport>> {
    return this.#change(async (context) => {
      const { restoreSkills } = await import('./restore.ts');
      const read = await this.#findRecords(names);
      if (!read.ok) return read;
      const damage = findLockDamage(read.records, context.place);
      if (damage !== undefined) return damage;
      return restoreSkills(
        read.records.flatMap(({ locked }) => locked ?? []),
        { ...context, options },
      );
    });
  }

  /** Everything that is installed, sorted by name. */
  async list(): Promise<Outcome<{ readonly plugins: readonly InstalledPlugin[]; readonly lockFile: string }>> {
    const read = await this.#readRecords();
    if (!read.ok) return read;
    const { cwd, home, variables: env, agentHome } = this.#environment;
    await using store = await openStore({ cwd, home, env });
    const trust = openTrust(agentHome);
    const plugins = read.records.map((record) => {
      const skill = store.copies().find(({ dir }) => dir === record.dir);
      return { ...record, skill, isTrusted: skill !== undefined && trust.judge(skill).ok };
    });
    return { ok: true, plugins, lockFile: read.lockFile };
  }

  /** The names of everything that is installed, without reading the skills, and whether there is a lock. */
  async names(): Promise<Outcome<{ readonly names: readonly string[]; readonly hasLock: boolean }>> {
    const read = await this.#readRecords();
    if (!read.ok) return read;
    return { ok: true, names: read.records.map(({ name }) => name), hasLock: isTaken(read.lockFile) };
  }

  /** One installed skill; a failure lists what is installed. */
  async find(name: string): Promise<Outcome<{ readonly plugin: InstalledPlugin }>> {
    const listed = await this.list();
    if (!listed.ok) return listed;
    const plugin = listed.plugins.find((installed) => installed.name === name);
    return plugin === undefined ? this.#notInstalled(name, listed.plugins) : { ok: true, plugin };
  }

  /** Compares the files on disk with the lock. */
  async verify(names: readonly string[] = []): Promise<Outcome<{ readonly plugins: readonly VerifiedPlugin[] }>> {
    const found = await this.#findRecords(names);
    return found.ok ? { ok: true, plugins: found.records.map(verifyRecord) } : found;
  }

  /**
   * Looks for newer versions and installs those that `decide` returns, all at once, except those that `auditFailOn`
   * refuses and that are not marked as accepted. The replaced versions are kept for `rollback`. A skill that only the
   * configuration lists counts as outdated; its update adds it to the lock.
   */
  update(names: readonly string[], decide: DecideUpdates, options: CheckOptions = {}): Promise<Outcome<UpdatedSkills>> {
    return this.#change(async (context, opened) => {
      const found = await this.#findRecords(names, opened);
      if (!found.ok) return found;
      const { updateSkills } = await import('./update-skills.ts');
      return updateSkills(found.records, decide, { ...context, options });
    });
  }

  /** Switches to the previous version; a second call switches back. */
  rollback(name: string): Promise<Outcome<{ readonly before: LockedSkill; readonly after: LockedSkill }>> {
    return this.#change(async (context) => {
      const found = await this.#findLocked([name]);
      if (!found.ok) return found;
      const [before] = found.skills;
      const [{ openPrevious }, { changeSkills }] = await Promise.all([
        import('./changes/previous-version.ts'),
        import('./changes/change-skills.ts'),
      ]);
      const opened = openPrevious(context.state.dir);
      if (!opened.ok) return opened;
      const previous = opened.previous.find(name);
      if (before === undefined || previous === undefined)
        return fail('SKILL_NOT_FOUND', `no earlier version of "${name}" is kept`);
      const changed = await changeSkills([{ name, before, after: previous }], context);
      return changed.ok ? { ok: true, before, after: previous.entry } : changed;
    });
  }

  /** The version that `rollback` would switch to, if one is kept, and how it differs from the files that are installed. */
  previous(name: string): Promise<Outcome<{ readonly previous: PreviousSkill | undefined }>> {
    return this.#change(async (context) => {
      const found = await this.#findLocked([name]);
      if (!found.ok) return found;
      const { comparePrevious } = await import('./changes/compare-previous.ts');
      return comparePrevious(name, context);
    });
  }

  /** Makes `update` leave a skill alone, at the version that is installed. */
  hold(name: string): Promise<Outcome<HeldSkill>> {
    return this.#hold(name, true);
  }

  /** Lets `update` update a skill again. */
  unhold(name: string): Promise<Outcome<HeldSkill>> {
    return this.#hold(name, false);
  }

  #hold(name: string, isHeld: boolean): Promise<Outcome<HeldSkill>> {
    return this.#change(async (context) => {
      const found = await this.#findLocked([name]);
      if (!found.ok) return found;
      const { holdSkill } = await import('./changes/hold-skill.ts');
      return holdSkill(name, isHeld, context);
    });
  }

  /** Removes a skill: its folder, its earlier version, its entries in the lock and the configuration, and its trust. */
  remove(name: string): Promise<Outcome<{ readonly name: string; readonly dir: string }>> {
    return this.#change(async (context) => {
      const read = await this.#readRecords();
      if (!read.ok) return read;
      const record = read.records.find((installed) => installed.name === name);
      if (record === undefined) return this.#notInstalled(name, read.records);
      // A skill installed here later must be inspected and trusted anew.
      const forgotten = await openTrust(this.#environment.agentHome).forget(record.dir);
      if (!forgotten.ok) return forgotten;
      const { changeSkills } = await import('./changes/change-skills.ts');
      const changed = await changeSkills([{ name, before: record.locked, after: undefined }], context);
      return changed.ok ? { ok: true, name, dir: record.dir } : changed;
    });
  }

  async #readRecords(
    given?: OpenedPlace,
  ): Promise<Outcome<{ readonly records: readonly InstallRecord[]; readonly lockFile: string }>> {
    const opened = given ?? (await this.#openPlace());
    if (!opened.ok) return opened;
    const { place, plugins: tracked } = opened;
    const read = readInstalled(place);
    if (!read.ok) return nameForgotten(read, tracked);
    return { ok: true, records: listRecords(read.skills, tracked, place), lockFile: place.lockFile };
  }

  async #openPlace(): Promise<OpenedPlace> {
    const finished = await finishPendingChanges(this.#environment.agentHome, {
      ...INSTALL_PATIENCE,
      onWait: this.#onWait,
    });
    if (!finished.ok) return finished;
    const { config, diagnostics } = readConfig(this.#environment);
    const own = userConfigFile(this.#environment);
    const wrong = diagnostics.filter(
      ({ code, path, field = 'plugins' }) =>
        code === 'CONFIG_INVALID' && path === own && (field === 'plugins' || field === 'pluginsDir'),
    );
    const reasons = wrong.map(({ line, message }) => `${line === undefined ? own : `${own}:${line}`}: ${message}`);
    if (wrong.length > 0) return fail('CONFIG_INVALID', reasons.join('; '), 'Fix the file first.');
    const found = findInstallPlace({ environment: this.#environment, config, scope: this.#scope });
    if (!found.ok) return found;
    const plugins = this.#scope === 'user' ? config.plugins : [];
    return { ok: true, place: found.place, plugins, failOn: config.auditFailOn };
  }

  async #change<T>(work: (context: ChangeContext, opened: OpenedPlace) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const opened = await this.#openPlace();
    if (!opened.ok) return opened;
    const { place, failOn } = opened;
    const state = openStateFolder(place.root, place.boundary);
    if (!state.ok) return state;
    const { agentHome } = this.#environment;
    sweepLeftovers(findLeftovers(place, state.folder, agentHome), { agentHome, guard: place.lockFile });
    await using sync = openSyncQueue();
    const { folder } = state;
    try {
      const context = { environment: this.#environment, place, state: folder, sync, failOn, onWait: this.#onWait };
      return await work(context, opened);
    } finally {
      state.folder.tidy();
    }
  }

  async #findRecords(
    names: readonly string[],
    opened?: OpenedPlace,
  ): Promise<Outcome<{ readonly records: readonly InstallRecord[] }>> {
    const read = await this.#readRecords(opened);
    if (!read.ok || names.length === 0) return read;
    const unknown = names.find((name) => !read.records.some((record) => record.name === name));
    if (unknown !== undefined) return this.#notInstalled(unknown, read.records);
    return { ok: true, records: read.records.filter(({ name }) => names.includes(name)) };
  }

  /** The lock's entries of these skills; without names, all entries. */
  async #findLocked(names: readonly string[]): Promise<Outcome<{ readonly skills: readonly LockedSkill[] }>> {
    const found = await this.#findRecords(names);
    if (!found.ok) return found;
    const unlocked = found.records.find(({ locked }) => locked === undefined);
    if (names.length > 0 && unlocked !== undefined)
      return fail(
        'SKILL_NOT_FOUND',
        `"${unlocked.name}" is in the configuration, but not in the lock`,
        `Add it to the lock with \`update ${quoteWord(unlocked.name)}\`.`,
      );
    return { ok: true, skills: found.records.flatMap(({ locked }) => locked ?? []) };
  }

  #notInstalled(name: string, installed: readonly { readonly name: string }[]): Failure {
    const where = this.#scope === 'project' ? 'in this project' : 'as a plugin';
    const names = installed.map((one) => one.name);
    const known = names.length === 0 ? 'nothing is' : `there are ${listSome(names, { most: MAX_NAMED })}`;
    return fail('SKILL_NOT_FOUND', `"${name}" is not installed ${where}; ${known}`);
  }
}
