import { basename, dirname } from 'node:path';

import { readLock } from '../config/lock-file.ts';
import { pluginName } from '../config/plugin-name.ts';
import type { PluginDefinition } from '../model/config.ts';
import { listSome } from '../model/list-some.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { isFolderName } from '../parse/name-rules.ts';
import { isPlainDirectory, isTaken, readStamp } from '../platform/files/files.ts';
import { compareWithDisk, type FileChange } from './changes/compare-files.ts';
import { skillDirectory, type InstallPlace, type OpenedPlace } from './install-place.ts';

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
const MAX_NAMED = 20;

/**
 * Reads installed skills from a lock file. A project's lock file is hostile: it must not be a link, and its names must
 * not leave the folder.
 */
export function readInstalled({
  lockFile,
  boundary,
}: InstallPlace): Outcome<{ readonly skills: readonly LockedSkill[] }> {
  if (boundary !== undefined && isTaken(lockFile) && readStamp(lockFile) === undefined)
    return fail('PATH_REFUSED', `${lockFile} is not a regular file`, { moveAway: lockFile });
  const read = readLock(lockFile);
  const bad = read.ok ? read.skills.find(({ name }) => !isFolderName(name)) : undefined;
  return bad === undefined
    ? read
    : fail('CONFIG_INVALID', `${lockFile}: "${bad.name}" is not a valid name for a skill`);
}

export interface FoundRecords {
  readonly records: readonly InstallRecord[];
  readonly lockFile: string;
}

type RecordsPlace = Pick<OpenedPlace, 'place' | 'plugins'>;

/** Finds installed skills by name, or all of them, sorted by name. A failure lists what is installed. */
export function findRecords(opened: RecordsPlace, names: readonly string[] = []): Outcome<FoundRecords> {
  const { place, plugins } = opened;
  const read = readInstalled(place);
  if (!read.ok) return nameForgotten(read, plugins);
  const records = listRecords(read.skills, opened);
  const unknown = names.find((name) => !records.some((record) => record.name === name));
  if (unknown !== undefined) return notInstalled(unknown, records, place);
  const found = names.length === 0 ? records : records.filter(({ name }) => names.includes(name));
  return { ok: true, records: found, lockFile: place.lockFile };
}

/** The lock's entry of an installed skill. */
export function findLocked(opened: RecordsPlace, name: string): Outcome<{ readonly locked: LockedSkill }> {
  const found = findRecords(opened, [name]);
  if (!found.ok) return found;
  const locked = found.records[0]?.locked;
  if (locked !== undefined) return { ok: true, locked };
  return fail('SKILL_NOT_FOUND', `"${name}" is in config.yaml, but not in the lock file`, {
    do: 'update',
    skill: name,
  });
}

function notInstalled(name: string, records: readonly InstallRecord[], { scope }: InstallPlace): Failure {
  const where = scope === 'project' ? ' in this project' : '';
  const names = records.map((record) => record.name);
  const known = names.length === 0 ? '' : `; installed: ${listSome(names, { most: MAX_NAMED })}`;
  return fail('SKILL_NOT_FOUND', `Skillplane did not install "${name}"${where}${known}`);
}

function listRecords(skills: readonly LockedSkill[], { plugins, place }: RecordsPlace): readonly InstallRecord[] {
  const locked = new Map(skills.map((skill) => [skill.name, skill]));
  // The first entry of each name is used.
  const tracked = new Map(plugins.toReversed().map((plugin) => [pluginName(plugin), plugin]));
  return [...new Set([...locked.keys(), ...tracked.keys()])].sort().map((name) => {
    const entry = locked.get(name);
    const dir = skillDirectory(place, name, entry);
    return { name, dir, isPresent: isPlainDirectory(dir), locked: entry, tracked: tracked.get(name) };
  });
}

/** Why a lock cannot be restored: it does not exist, or lacks skills that the configuration lists. */
export function findLockDamage(
  records: readonly InstallRecord[],
  { lockFile }: Pick<InstallPlace, 'lockFile'>,
): Failure | undefined {
  const unlocked = records.filter(({ locked }) => locked === undefined).map(({ name }) => name);
  if (unlocked.length > 0)
    return fail(
      'INSTALL_FAILED',
      `${lockFile} has no entry for ${listSome(unlocked, { most: MAX_NAMED })}, but config.yaml lists it`,
      { either: [{ ask: 'user', to: 'Restore the file.' }, { do: 'update' }] },
    );
  if (isTaken(lockFile)) return undefined;
  const message = `no ${basename(lockFile)} in ${dirname(lockFile)}`;
  return fail('INSTALL_FAILED', message, { do: 'install' });
}

/** A damaged lock makes no skill be forgotten: the configuration lists them, too. */
function nameForgotten(failure: Failure, tracked: readonly PluginDefinition[]): Failure {
  if (tracked.length === 0 || failure.code !== 'CONFIG_INVALID') return failure;
  const names = listSome(tracked.map(pluginName), { most: MAX_NAMED });
  return fail(failure.code, `${failure.message}; the configuration lists ${names}`, {
    ask: 'user',
    to: 'Restore the file from a backup, or move it away and run `skillplane update`.',
  });
}

/** Compares the files on disk with the lock's entry. */
export function verifyRecord({ name, dir, locked }: InstallRecord): VerifiedPlugin {
  if (locked === undefined) return { name, dir, state: 'unlocked', changes: [] };
  if (!isTaken(dir)) return { name, dir, state: 'missing', changes: [] };
  const changes = compareWithDisk(locked, dir);
  return { name, dir, state: changes.length === 0 ? 'unchanged' : 'changed', changes };
}
