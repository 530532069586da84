import { join } from 'node:path';

import { readRenderedLock } from '../../config/read-rendered-lock.ts';
import { renderLock } from '../../config/render-lock.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../../platform/clock.ts';
import { isPlainDirectory, isTaken, readOwnText, readStamp } from '../../platform/files/files.ts';
import { KEPT } from '../../platform/files/state-folder.ts';

/** The version that the installed one replaced, kept for rollback. */
export interface PreviousVersion {
  readonly dir: string;
  readonly entry: LockedSkill;
}

/** The folder, in a place's state folder, that holds the previous version and its lock entry. */
export function previousFolder(stateDir: string, name: string): string {
  return join(stateDir, `${KEPT}${name}`);
}

export function previousRecord(stateDir: string, name: string): string {
  return join(previousFolder(stateDir, name), 'lock.yaml');
}

/** A new folder for a previous version; the record names the one that counts. */
export function newPreviousDir(stateDir: string, name: string): string {
  return join(previousFolder(stateDir, name), uniqueName());
}

/** The record: a lock with one skill, whose name is that of its folder here. */
export function renderPrevious({ dir, entry }: PreviousVersion): string {
  return renderLock([{ ...entry, name: dir.split(/[/\\]/).at(-1) ?? '' }]);
}

/** Refuses links: a project's files are not ours, and a link would make us move or remove files elsewhere. */
export function checkPrevious(stateDir: string, name: string): Outcome {
  const [folder, record] = [previousFolder(stateDir, name), previousRecord(stateDir, name)];
  if (isTaken(folder) && !isPlainDirectory(folder))
    return fail('PATH_REFUSED', `${folder} is not a folder`, 'Move it away.');
  return isTaken(record) && readStamp(record) === undefined
    ? fail('PATH_REFUSED', `${record} is not a regular file`, 'Move it away.')
    : { ok: true };
}

export async function readPrevious(stateDir: string, name: string): Promise<PreviousVersion | undefined> {
  if (!checkPrevious(stateDir, name).ok) return undefined;
  const read = readOwnText(previousRecord(stateDir, name));
  const [entry] = read.ok && read.text !== undefined ? await readRecord(read.text) : [];
  if (entry === undefined || !/^\d+-[0-9a-z]+$/.test(entry.name)) return undefined;
  const dir = join(previousFolder(stateDir, name), entry.name);
  return isPlainDirectory(dir) ? { dir, entry: { ...entry, name } } : undefined;
}

async function readRecord(text: string): Promise<readonly LockedSkill[]> {
  const rendered = readRenderedLock(text);
  if (rendered !== undefined) return rendered;
  // Lazy: records are as we write them.
  const { parseLock } = await import('../../config/parse-lock.ts');
  const parsed = parseLock(text);
  return parsed.ok ? parsed.skills : [];
}
