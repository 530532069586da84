import { join } from 'node:path';

import { parseLock, renderLock } from '../../config/lock-file.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../../platform/clock.ts';
import { isPlainDirectory, isTaken, listDirectory, readOwnText, readStamp } from '../../platform/files/files.ts';
import { KEPT } from '../../platform/files/state-folder.ts';

/** The version that the installed one replaced, kept for rollback. */
export interface PreviousVersion {
  readonly dir: string;
  readonly entry: LockedSkill;
}

/** The previous versions of a place: folders in its state folder, and one record with their lock entries. */
export interface PreviousVersions {
  /** The record; there is no file if nothing is kept. */
  readonly file: string;
  /** Undefined if none is kept. */
  find(name: string): PreviousVersion | undefined;
  /** A failure if a link or a file is in the place of the skill's folder. */
  check(name: string): Outcome;
  /** The text of the record after changes; undefined if nothing would be kept. */
  render(change: {
    readonly put: readonly PreviousVersion[];
    readonly drop: readonly PreviousVersion[];
  }): string | undefined;
}

/** The folder, in a place's state folder, that holds the previous version of a skill. */
export function previousFolder(stateDir: string, name: string): string {
  return join(stateDir, `${KEPT}${name}`);
}

/** A new folder for a previous version; the record names those that count. */
export function newPreviousDir(stateDir: string, name: string): string {
  return join(previousFolder(stateDir, name), uniqueName());
}

/**
 * Reads the record: a lock whose names are those of the folders here. Refuses links: a project's files are not ours, and a
 * link would make us move or remove files elsewhere.
 */
export function openPrevious(stateDir: string): Outcome<{ readonly previous: PreviousVersions }> {
  const file = join(stateDir, 'previous.yaml');
  if (isTaken(file) && readStamp(file) === undefined)
    return fail('PATH_REFUSED', `${file} is not a regular file`, 'Move it away.');
  const read = readOwnText(file);
  if (!read.ok) return read;
  const parsed = read.text === undefined ? { ok: true as const, skills: [] } : parseLock(read.text);
  if (!parsed.ok)
    return fail('STORE_FAILED', `${file} is damaged`, 'Move it away; the previous versions that it lists are lost.');
  const byFolder = new Map(parsed.skills.map((entry) => [entry.name, entry]));
  return {
    ok: true,
    previous: {
      file,
      find: (name) => findVersion(previousFolder(stateDir, name), name, byFolder),
      check: (name) => checkFolder(previousFolder(stateDir, name)),
      render({ put, drop }) {
        const left = new Map(byFolder);
        for (const { dir } of drop) left.delete(folderName(dir));
        for (const { dir, entry } of put) left.set(folderName(dir), { ...entry, name: folderName(dir) });
        return left.size === 0 ? undefined : renderLock([...left.values()]);
      },
    },
  };
}

const UNIQUE_NAME = /^\d+-[0-9a-z]+$/;

function findVersion(
  folder: string,
  name: string,
  entries: ReadonlyMap<string, LockedSkill>,
): PreviousVersion | undefined {
  if (entries.size === 0 || !isPlainDirectory(folder)) return undefined;
  const listing = listDirectory(folder);
  for (const { name: unique, kind } of listing.state === 'listed' ? listing.entries : []) {
    const entry = entries.get(unique);
    if (entry !== undefined && kind === 'directory' && UNIQUE_NAME.test(unique))
      return { dir: join(folder, unique), entry: { ...entry, name } };
  }
  return undefined;
}

function checkFolder(folder: string): Outcome {
  return isTaken(folder) && !isPlainDirectory(folder)
    ? fail('PATH_REFUSED', `${folder} is not a folder`, 'Move it away.')
    : { ok: true };
}

function folderName(dir: string): string {
  return dir.split(/[/\\]/).at(-1) ?? '';
}
