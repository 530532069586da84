import { join } from 'node:path';

import { parseLock } from '../../config/parse-lock.ts';
import { renderLock } from '../../config/render-lock.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../../platform/clock.ts';
import { isPlainDirectory, isTaken, readOwnText, readStamp } from '../../platform/files/files.ts';
import { KEPT } from '../../platform/files/state-folder.ts';

/** The version of a skill before the one that is installed, kept so that one can go back. */
export interface PreviousVersion {
  readonly dir: string;
  readonly entry: LockedSkill;
}

/** Where the version before is kept, in a place's state folder: its folder, and beside that the lock entry of it. */
export function previousFolder(stateDir: string, name: string): string {
  return join(stateDir, `${KEPT}${name}`);
}

export function previousRecord(stateDir: string, name: string): string {
  return join(previousFolder(stateDir, name), 'lock.yaml');
}

/** A folder for one more version before; only one of them is ever listed in the record. */
export function newPreviousDir(stateDir: string, name: string): string {
  return join(previousFolder(stateDir, name), uniqueName());
}

/** The record's text: a lock with one skill, whose folder stands in place of its name. */
export function renderPrevious({ dir, entry }: PreviousVersion): string {
  return renderLock([{ ...entry, name: dir.split(/[/\\]/).at(-1) ?? '' }]);
}

/** A project's files are anybody's: a link in our own folder would make us move and remove things elsewhere. */
export function checkPrevious(stateDir: string, name: string): Outcome {
  const [folder, record] = [previousFolder(stateDir, name), previousRecord(stateDir, name)];
  if (isTaken(folder) && !isPlainDirectory(folder))
    return fail('PATH_REFUSED', `${folder} is not a folder; move it away`);
  return isTaken(record) && readStamp(record) === undefined
    ? fail('PATH_REFUSED', `${record} is not a regular file; move it away`)
    : { ok: true };
}

export function readPrevious(stateDir: string, name: string): PreviousVersion | undefined {
  if (!checkPrevious(stateDir, name).ok) return undefined;
  const read = readOwnText(previousRecord(stateDir, name));
  const parsed = read.ok && read.text !== undefined ? parseLock(read.text) : undefined;
  const [entry] = parsed?.ok === true ? parsed.skills : [];
  if (entry === undefined || !/^\d+-[0-9a-z]+$/.test(entry.name)) return undefined;
  const dir = join(previousFolder(stateDir, name), entry.name);
  return isPlainDirectory(dir) ? { dir, entry: { ...entry, name } } : undefined;
}
