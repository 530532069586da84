import { planConfigEdit } from '../../config/edit-config.ts';
import { renderLock } from '../../config/lock-file.ts';
import { pluginName } from '../../config/plugin-name.ts';
import { placeConfigSchema } from '../../config/schema-file.ts';
import { MAX_LOCK_BYTES } from '../../model/limits.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { exactChoice, type Origin } from '../../model/origin.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { isoTime } from '../../model/time.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import { now } from '../../platform/clock.ts';
import { isPlainDirectory, isTaken } from '../../platform/files/files.ts';
import { withLocks, type HeldLock } from '../../platform/files/lock.ts';
import {
  finishHeldChanges,
  hasPendingChanges,
  makeChange,
  type PlannedChange,
} from '../../platform/files/pending-changes.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { syncPaths } from '../../platform/files/write-folder.ts';
import { accountFiles, INSTALL_PATIENCE, skillDirectory, type InstallPlace } from '../install-place.ts';
import { readInstalled } from '../install-record.ts';
import { planMoves, type FileText } from './plan-moves.ts';
import type { ChangeContext, SkillChange } from './skill-change.ts';

/**
 * Makes all changes or none: folders, lock and configuration. The replaced version of a skill is kept for rollback.
 * Everything is written first; the rest is a list of renames. If this process is killed, the next one finishes them.
 */
export async function changeSkills(changes: readonly SkillChange[], context: ChangeContext): Promise<Outcome> {
  const { environment, place } = context;
  // Before the locks are taken: others need not wait for the disk.
  const synced = await syncPaths(changes.flatMap(({ after }) => after?.dir ?? []));
  if (!synced.ok) return synced;
  return withPlaceLocked(context, async (check) => {
    const planned = await planChange(changes, context);
    const made = planned.ok ? makeChange(environment.agentHome, planned.change, check) : planned;
    if (made.ok && place.configFile !== undefined) placeConfigSchema(place.configFile);
    return made;
  });
}

/** Plans the renames that make the changes, or fails if any change cannot be made. The caller holds the locks. */
export async function planChange(
  changes: readonly SkillChange[],
  context: ChangeContext,
): Promise<Outcome<{ readonly change: PlannedChange }>> {
  const files = await planFiles(changes, context);
  return files.ok ? planMoves(changes, files.files, context) : files;
}

export interface HeldSkill {
  readonly name: string;
  /** Where it came from, and what was chosen there. */
  readonly origin: Origin;
  /** False if it already was in this state. */
  readonly changed: boolean;
  /** The lock, which records it. */
  readonly file: string;
}

/** Records in the lock whether updates leave a skill alone. */
export function holdSkill(name: string, isHeld: boolean, context: ChangeContext): Promise<Outcome<HeldSkill>> {
  const { environment, place } = context;
  return withPlaceLocked(context, async (check) => {
    const read = readInstalled(place);
    if (!read.ok) return read;
    const known = read.skills.find((skill) => skill.name === name);
    if (known === undefined) return fail('STORE_FAILED', `another process removed "${name}"`);
    const done = { ok: true, name, origin: known.origin, file: place.lockFile } as const;
    if ((known.held ?? false) === isHeld) return { ...done, changed: false };
    const text = renderLock(read.skills.map((skill) => (skill === known ? { ...skill, held: isHeld } : skill)));
    const planned = await planMoves([], [{ path: place.lockFile, text }], context);
    const made = planned.ok ? makeChange(environment.agentHome, planned.change, check) : planned;
    return made.ok ? { ...done, changed: true } : made;
  });
}

/** Locks the files of a place, and first finishes what killed processes left of them. `check` says whether they are still locked. */
function withPlaceLocked<T>(
  { environment, place, onWait }: ChangeContext,
  work: (check: () => Outcome) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const files = accountFiles(place);
  const finishAndWork = async ({ check }: HeldLock): Promise<Outcome<T>> => {
    const finished = finishHeldChanges(environment.agentHome, files, check);
    return finished.ok ? work(check) : finished;
  };
  return withLocks(files, finishAndWork, { ...INSTALL_PATIENCE, onWait });
}

/** Removes staged skills that were not installed, unless an unfinished change still needs them. */
export function discardStaged(
  versions: readonly { readonly dir: string }[],
  { environment, place }: Pick<ChangeContext, 'environment' | 'place'>,
): void {
  if (!hasPendingChanges(environment.agentHome, place.lockFile)) for (const { dir } of versions) removeTree(dir);
}

/** The new lock and configuration, or a failure if any change can no longer be made. */
async function planFiles(
  changes: readonly SkillChange[],
  { place }: ChangeContext,
): Promise<Outcome<{ readonly files: readonly FileText[] }>> {
  const read = readInstalled(place);
  if (!read.ok) return read;
  const current = new Map(read.skills.map((skill) => [skill.name, skill]));
  const conflict = changes
    .map((change) => findConflict(change, current.get(change.name), place))
    .find((fault) => fault !== undefined);
  if (conflict !== undefined) return conflict;
  const lock = changeLock(read.skills, changes, place);
  if (Buffer.byteLength(lock) > MAX_LOCK_BYTES)
    return fail('STORE_FAILED', `${place.lockFile} would be larger than ${MAX_LOCK_BYTES} bytes`, { do: 'remove' });
  const config = await planConfig(changes, place);
  return config.ok ? { ok: true, files: [{ path: place.lockFile, text: lock }, ...config.files] } : config;
}

function changeLock(
  skills: readonly LockedSkill[],
  changes: readonly SkillChange[],
  place: Pick<InstallPlace, 'folder'>,
): string {
  const names = new Set(changes.map(({ name }) => name));
  const held = new Set(skills.flatMap((skill) => (skill.held === true ? [skill.name] : [])));
  const entries = changes.flatMap(({ before, after }) => {
    if (after === undefined) return [];
    const folder = before === undefined ? place.folder : before.folder;
    return [{ ...after.entry, folder, held: held.has(after.entry.name) }];
  });
  return renderLock([...skills.filter(({ name }) => !names.has(name)), ...entries]);
}

function findConflict(
  { name, before, isAdopted = false, after }: SkillChange,
  current: LockedSkill | undefined,
  place: InstallPlace,
): Failure | undefined {
  if (!isFolderName(name)) return fail('INVALID_NAME', `"${name}" is not a valid name for a skill`);
  const isNew = before === undefined && after !== undefined;
  if (isNew && (current !== undefined || isTaken(skillDirectory(place, name, undefined))))
    return fail('ALREADY_EXISTS', `"${name}" is already installed`);
  const expected = isAdopted ? undefined : before;
  const isOther = current?.digest !== expected?.digest || choiceOf(current) !== choiceOf(expected);
  const isGone = after !== undefined && !isPlainDirectory(after.dir);
  if (isOther || isGone) return fail('STORE_FAILED', `another process changed "${name}"`, { retry: 'now' });
  return undefined;
}

function choiceOf(skill: LockedSkill | undefined): string | undefined {
  return skill === undefined ? undefined : exactChoice(skill.origin);
}

async function planConfig(
  changes: readonly SkillChange[],
  { configFile }: InstallPlace,
): Promise<Outcome<{ readonly files: readonly FileText[] }>> {
  if (configFile === undefined) return { ok: true, files: [] };
  const installedAt = isoTime(now());
  const planned = await planConfigEdit(configFile, (editor, { plugins = [] }) => {
    const known = new Map(plugins.map((plugin) => [pluginName(plugin), plugin]));
    const put = changes.flatMap(({ name, after }) => {
      if (after === undefined) return [];
      const { url, ref } = after.entry.origin;
      return [{ url, ref, name, enabled: known.get(name)?.enabled ?? true, installedAt }];
    });
    editor.putPlugins(put);
    for (const { name, after } of changes) if (after === undefined) editor.removePlugin(name);
  });
  return planned.ok ? { ok: true, files: [{ path: configFile, text: planned.text }] } : planned;
}
