import { basename, dirname, join } from 'node:path';

import { pluginName } from '../config/plugin-name.ts';
import type { PluginDefinition } from '../model/config.ts';
import { listSome } from '../model/list-some.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Failure } from '../model/outcome.ts';
import { isPlainDirectory, isTaken } from '../platform/files/files.ts';
import { compareWithDisk, type FileChange } from './changes/compare-files.ts';
import type { InstallPlace } from './install-place.ts';

/** An installed skill as the lock and the configuration record it. */
export interface InstallRecord {
  readonly name: string;
  readonly dir: string;
  /** Whether its folder exists. */
  readonly isPresent: boolean;
  /** Its entry in the lock; undefined if Skillplane did not install it, or its lock is gone. */
  readonly locked: LockedSkill | undefined;
  /** Its entry in `config.yaml`. */
  readonly tracked: PluginDefinition | undefined;
}

export interface VerifiedPlugin {
  readonly name: string;
  readonly dir: string;
  /** `unlocked`: only the configuration lists it, so there is nothing to compare it with. `update` adds it to the lock. */
  readonly state: 'unchanged' | 'changed' | 'missing' | 'unlocked';
  readonly changes: readonly FileChange[];
}

/** So many names are listed in a message. */
export const MAX_NAMED = 20;

/** The records of the lock and the configuration, sorted by name. */
export function listRecords(
  skills: readonly LockedSkill[],
  plugins: readonly PluginDefinition[],
  { root }: InstallPlace,
): readonly InstallRecord[] {
  const locked = new Map(skills.map((skill) => [skill.name, skill]));
  // Of two entries with one name, the first counts.
  const tracked = new Map(plugins.toReversed().map((plugin) => [pluginName(plugin), plugin]));
  return [...new Set([...locked.keys(), ...tracked.keys()])].sort().map((name) => ({
    name,
    dir: join(root, name),
    isPresent: isPlainDirectory(join(root, name)),
    locked: locked.get(name),
    tracked: tracked.get(name),
  }));
}

/** Why a lock cannot be restored: it does not exist, or lacks skills that the configuration lists. */
export function findLockDamage(records: readonly InstallRecord[], { lockFile }: InstallPlace): Failure | undefined {
  const unlocked = records.filter(({ locked }) => locked === undefined).map(({ name }) => name);
  if (unlocked.length > 0)
    return fail(
      'INSTALL_FAILED',
      `${lockFile} has no entry for ${listSome(unlocked, { most: MAX_NAMED })}, which the configuration lists`,
      'Restore the file, or add them to it with `update`.',
    );
  if (isTaken(lockFile)) return undefined;
  const message = `there is no ${basename(lockFile)} in ${dirname(lockFile)}`;
  return fail('INSTALL_FAILED', message, 'Install something first.');
}

/** A damaged lock makes no skill be forgotten: the configuration lists them, too. */
export function nameForgotten(failure: Failure, tracked: readonly PluginDefinition[]): Failure {
  if (tracked.length === 0 || failure.code !== 'CONFIG_INVALID') return failure;
  const names = listSome(tracked.map(pluginName), { most: MAX_NAMED });
  return fail(
    failure.code,
    `${failure.message}; the configuration lists ${names}`,
    'Restore the file from a backup, or move it away and add them to a new one with `update`.',
  );
}

/** Compares the files on disk with the lock's entry. */
export function verifyRecord({ name, dir, locked }: InstallRecord): VerifiedPlugin {
  if (locked === undefined) return { name, dir, state: 'unlocked', changes: [] };
  if (!isTaken(dir)) return { name, dir, state: 'missing', changes: [] };
  const changes = compareWithDisk(locked, dir);
  return { name, dir, state: changes.length === 0 ? 'unchanged' : 'changed', changes };
}
