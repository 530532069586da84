import { openStore } from '../catalog/store.ts';
import { openTrust } from '../catalog/trust.ts';
import { ENVIRONMENT_KINDS } from '../config/settings.ts';
import {
  aBoolean,
  aFunction,
  aNumber,
  anObject,
  aString,
  checkCall,
  aListOf,
  aWordOf,
  optionsOf,
  strings,
} from '../model/check-arguments.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill, SkillStatus } from '../model/skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { isTaken } from '../platform/files/files.ts';
import { sweepLeftovers } from '../platform/files/leftovers.ts';
import { hasPendingChanges } from '../platform/files/pending-changes.ts';
import { openWorkFolder } from '../platform/files/work-folder.ts';
import type { HeldSkill } from './changes/change-skills.ts';
import type { PreviousSkill } from './changes/previous-version.ts';
import type { ChangeContext, CheckOptions } from './changes/skill-change.ts';
import { listChanged, openPlace, skillDirectory, type InstallScope } from './install-place.ts';
import {
  findLocked,
  findLockDamage,
  findRecords,
  verifyRecord,
  type FoundRecords,
  type InstallRecord,
  type VerifiedPlugin,
} from './install-record.ts';
import {
  INSTALL_DECISIONS,
  INSTALL_OPTIONS,
  type InstallDecisions,
  type InstallResult,
  type InstallOptions,
} from './install-request.ts';
import type { RestoreReport } from './restore.ts';
import type { TakeOverRequest } from './take-over.ts';
import type { DecideUpdates, UpdatedSkills } from './update-skills.ts';

export interface InstallerOptions extends EnvironmentOptions {
  /** Install for the user (the default) or into the project. */
  readonly scope?: InstallScope | undefined;
  /** Called with a sentence that says for whom an operation waits, if another process is installing. */
  readonly onWait?: ((message: string) => void) | undefined;
}

const INSTALLER_OPTIONS = optionsOf<InstallerOptions>({
  ...ENVIRONMENT_KINDS,
  scope: aWordOf(['user', 'project']),
  onWait: aFunction,
});
const CHECK_KINDS = { allow: strings, useGitCredentials: aBoolean, signal: anObject };
const CHECK_OPTIONS = optionsOf<CheckOptions>({ ...CHECK_KINDS, timeoutMs: aNumber });
const TAKE_OVER = optionsOf<TakeOverRequest>(
  { ...CHECK_KINDS, skills: aListOf('a list of foreign skills', anObject) },
  ['skills'],
);

/** An installed skill, with its state in the catalog. */
export interface InstalledPlugin extends InstallRecord {
  /** The skill in the catalog; undefined if the folder holds no valid skill. */
  readonly skill: Skill | undefined;
  /** `missing`: its folder is gone. */
  readonly status: SkillStatus | 'missing';
  readonly isTrusted: boolean;
}

/**
 * Installs skills from repositories and directories, and records them in a lock file. Lazy: the code for each
 * operation is loaded when it is called.
 */
export class SkillInstaller {
  readonly #environment: Environment;
  readonly #scope: InstallScope;
  readonly #onWait: InstallerOptions['onWait'];

  constructor(given: InstallerOptions = {}) {
    checkCall('new SkillInstaller(options?)', { options: [given, INSTALLER_OPTIONS] });
    const { scope = 'user', onWait, ...options } = given;
    this.#onWait = onWait;
    this.#environment = readEnvironment(options);
    this.#scope = scope;
  }

  /** Fetches, checks and installs skills. Everything is installed, or nothing is. */
  async install(request: InstallOptions, decisions: InstallDecisions = {}): Promise<InstallResult> {
    checkCall('install({ url }, decisions?)', {
      request: [request, INSTALL_OPTIONS],
      decisions: [decisions, INSTALL_DECISIONS],
    });
    return this.#change(async (context) => {
      const { installSkills } = await import('./install-skills.ts');
      return installSkills(request, decisions, context);
    });
  }

  /** Installs copies of skills that other tools have installed (`findForeignSkills`), with their origins. */
  async takeOver(request: TakeOverRequest, decisions: InstallDecisions = {}): Promise<InstallResult> {
    checkCall('takeOver({ skills }, decisions?)', {
      request: [request, TAKE_OVER],
      decisions: [decisions, INSTALL_DECISIONS],
    });
    return this.#change(async (context) => {
      const { takeOver } = await import('./take-over.ts');
      return takeOver(request, decisions, context);
    });
  }

  /** Installs exactly the versions in the lock: all of them, or the skills named. */
  async restore(names: readonly string[] = [], options: CheckOptions = {}): Promise<Outcome<RestoreReport>> {
    checkCall('restore(names?, options?)', { names: [names, strings], options: [options, CHECK_OPTIONS] });
    return this.#change(async (context) => {
      const { restoreSkills } = await import('./restore.ts');
      const found = findRecords(context, names);
      if (!found.ok) return found;
      const damage = findLockDamage(found.records, context.place);
      if (damage !== undefined) return damage;
      const locked = found.records.flatMap((record) => record.locked ?? []);
      return restoreSkills(locked, { ...context, options });
    });
  }

  /** The report that `restore` would give. Fetches and changes nothing. */
  async planRestore(names: readonly string[] = []): Promise<Outcome<RestoreReport>> {
    checkCall('planRestore(names?)', { names: [names, strings] });
    const found = await this.#findRecords(names);
    if (!found.ok) return found;
    const damage = findLockDamage(found.records, found);
    if (damage !== undefined) return damage;
    const groups = Map.groupBy(found.records.map(verifyRecord), ({ state }) => state === 'unchanged');
    const namesOf = (isPresent: boolean): readonly string[] => groups.get(isPresent)?.map(({ name }) => name) ?? [];
    return { ok: true, restored: namesOf(false), present: namesOf(true) };
  }

  /** Everything that is installed, sorted by name. */
  list(): Promise<Outcome<{ readonly plugins: readonly InstalledPlugin[]; readonly lockFile: string }>> {
    return this.#list();
  }

  /** One installed skill; a failure lists what is installed. */
  async find(name: string): Promise<Outcome<{ readonly plugin: InstalledPlugin }>> {
    checkCall('find(name)', { name: [name, aString] });
    const listed = await this.#list([name]);
    if (!listed.ok) return listed;
    const [plugin] = listed.plugins;
    return plugin === undefined ? fail('SKILL_NOT_FOUND', `"${name}" is not installed`) : { ok: true, plugin };
  }

  /** The names of everything that is installed, without reading the skills, and whether there is a lock. */
  async names(): Promise<Outcome<{ readonly names: readonly string[]; readonly hasLock: boolean }>> {
    const found = await this.#findRecords();
    if (!found.ok) return found;
    return { ok: true, names: found.records.map(({ name }) => name), hasLock: isTaken(found.lockFile) };
  }

  /** Compares the files on disk with the lock. */
  async verify(names: readonly string[] = []): Promise<Outcome<{ readonly plugins: readonly VerifiedPlugin[] }>> {
    checkCall('verify(names?)', { names: [names, strings] });
    const found = await this.#findRecords(names);
    return found.ok ? { ok: true, plugins: found.records.map(verifyRecord) } : found;
  }

  /**
   * Checks for updates and installs those that `decide` returns in one change, except those that `auditFailOn` refuses
   * and that are not marked as accepted. Replaced versions are kept for `rollback`. A skill that is only in the
   * configuration is outdated; its update adds it to the lock file.
   */
  async update(
    names: readonly string[],
    decide: DecideUpdates,
    options: CheckOptions = {},
  ): Promise<Outcome<UpdatedSkills>> {
    checkCall('update(names, decide, options?)', {
      names: [names, strings],
      decide: [decide, aFunction],
      options: [options, CHECK_OPTIONS],
    });
    return this.#change(async (context) => {
      const found = findRecords(context, names);
      if (!found.ok) return found;
      const { updateSkills } = await import('./update-skills.ts');
      return updateSkills(found.records, decide, { ...context, options });
    });
  }

  /** Switches to the previous version; a second call switches back. */
  async rollback(name: string): Promise<Outcome<{ readonly before: LockedSkill; readonly after: LockedSkill }>> {
    checkCall('rollback(name)', { name: [name, aString] });
    return this.#changeLocked(name, async (before, context) => {
      const { findPrevious } = await import('./changes/previous-version.ts');
      const found = findPrevious(context.work.dir, name);
      if (!found.ok) return found;
      const { previous } = found;
      if (previous === undefined) return fail('SKILL_NOT_FOUND', `no previous version of "${name}"`);
      const { changeSkills } = await import('./changes/change-skills.ts');
      const changed = await changeSkills([{ name, before, after: previous }], context);
      return changed.ok ? { ok: true, before, after: previous.entry } : changed;
    });
  }

  /** The version that `rollback` would switch to, if one is kept, and how it differs from the files that are installed. */
  async previous(name: string): Promise<Outcome<{ readonly previous: PreviousSkill | undefined }>> {
    checkCall('previous(name)', { name: [name, aString] });
    return this.#changeLocked(name, async (locked, context) => {
      const { comparePrevious } = await import('./changes/previous-version.ts');
      return comparePrevious(locked, context);
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

  async #hold(name: string, isHeld: boolean): Promise<Outcome<HeldSkill>> {
    checkCall(isHeld ? 'hold(name)' : 'unhold(name)', { name: [name, aString] });
    return this.#changeLocked(name, async (_, context) => {
      const { holdSkill } = await import('./changes/change-skills.ts');
      return holdSkill(name, isHeld, context);
    });
  }

  /** Removes a skill: its folder, its earlier version, its entries in the lock and the configuration, and its trust. */
  async remove(name: string): Promise<Outcome<{ readonly name: string; readonly dir: string }>> {
    checkCall('remove(name)', { name: [name, aString] });
    return this.#change(async (context) => {
      const found = findRecords(context, [name]);
      if (!found.ok) return found;
      const before = found.records[0]?.locked;
      const dir = found.records[0]?.dir ?? skillDirectory(context.place, name, before);
      // A skill installed here later must be reviewed again.
      const forgotten = await openTrust(this.#environment.agentHome).forget(dir);
      if (!forgotten.ok) return forgotten;
      const { changeSkills } = await import('./changes/change-skills.ts');
      const changed = await changeSkills([{ name, before, after: undefined }], context);
      return changed.ok ? { ok: true, name, dir } : changed;
    });
  }

  async #list(
    names?: readonly string[],
  ): Promise<Outcome<{ readonly plugins: readonly InstalledPlugin[]; readonly lockFile: string }>> {
    const found = await this.#findRecords(names);
    if (!found.ok) return found;
    const { cwd, home, variables: env, agentHome } = this.#environment;
    await using store = await openStore({ cwd, home, env });
    const trust = openTrust(agentHome);
    const plugins = found.records.map((record): InstalledPlugin => {
      const skill = store.copies().find(({ dir }) => dir === record.dir);
      const status = skill?.status ?? (record.isPresent ? 'broken' : 'missing');
      return { ...record, skill, status, isTrusted: skill !== undefined && trust.judge(skill).ok };
    });
    return { ok: true, plugins, lockFile: found.lockFile };
  }

  async #findRecords(names?: readonly string[]): Promise<Outcome<FoundRecords>> {
    const opened = await openPlace(this.#environment, this.#scope, this.#onWait);
    return opened.ok ? findRecords(opened, names) : opened;
  }

  #changeLocked<T>(
    name: string,
    work: (locked: LockedSkill, context: ChangeContext) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    return this.#change(async (context) => {
      const found = findLocked(context, name);
      return found.ok ? work(found.locked, context) : found;
    });
  }

  /** Opens the place and what a change needs there, and tidies up afterwards. */
  async #change<T>(work: (context: ChangeContext) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const opened = await openPlace(this.#environment, this.#scope, this.#onWait);
    if (!opened.ok) return opened;
    const { place } = opened;
    const state = openWorkFolder(place.earlierRoot, place.boundary);
    if (!state.ok) return state;
    const { folder } = state;
    const { agentHome } = this.#environment;
    sweepLeftovers(listChanged(place, folder, agentHome), () => hasPendingChanges(agentHome, place.lockFile));
    try {
      return await work({ ...opened, environment: this.#environment, work: folder, onWait: this.#onWait });
    } finally {
      folder.tidy();
    }
  }
}
