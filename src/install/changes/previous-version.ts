import { join } from 'node:path';

import { parseLock } from '../../config/lock-file.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { isPlainDirectory, listDirectory, readOwnText, readStamp } from '../../platform/files/files.ts';
import { KEPT } from '../../platform/files/work-folder.ts';
import { skillDirectory } from '../install-place.ts';
import { compareWithDisk, diffVersions, type FileChange } from './compare-files.ts';
import type { ChangeContext } from './skill-change.ts';

/** The version that the installed one replaced, for rollback. */
export interface PreviousVersion {
  /** The folder with its files. */
  readonly dir: string;
  readonly entry: LockedSkill;
}

/**
 * Folder for a skill's previous versions, in the place's work folder. The files of a version are in a numbered folder,
 * its lock entry in `<number>.yaml`. The highest number is current; others are being deleted.
 */
export function previousFolder(workDir: string, name: string): string {
  return join(workDir, `${KEPT}${name}`);
}

/** The two paths of a version in such a folder. */
export function versionPaths(folder: string, version: number): { readonly dir: string; readonly entryFile: string } {
  return { dir: join(folder, String(version)), entryFile: join(folder, `${version}.yaml`) };
}

/** The highest number of a version in such a folder; 0 if it has none. */
export function lastVersion(folder: string): number {
  const listing = isPlainDirectory(folder) ? listDirectory(folder) : undefined;
  const names = listing?.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  const numbers = names.map((name) => Number(/^(\d{1,9})(?:\.yaml)?$/.exec(name)?.[1] ?? 0));
  return numbers.reduce((last, number) => Math.max(last, number), 0);
}

/** Finds the previous version of a skill. Links are not followed: a project's files are not ours. */
export function findPrevious(
  workDir: string,
  name: string,
): Outcome<{ readonly previous: PreviousVersion | undefined }> {
  const folder = previousFolder(workDir, name);
  const { dir, entryFile } = versionPaths(folder, lastVersion(folder));
  if (!isPlainDirectory(dir) || readStamp(entryFile) === undefined) return { ok: true, previous: undefined };
  const read = readOwnText(entryFile);
  if (!read.ok) return read;
  const parsed = parseLock(read.text ?? '');
  const entry = parsed.ok ? parsed.skills.find((skill) => skill.name === name) : undefined;
  if (entry === undefined) return fail('STORE_FAILED', `${entryFile} is damaged`, { moveAway: entryFile });
  return { ok: true, previous: { dir, entry } };
}

/** The previous version of an installed skill, compared with its files. */
export interface PreviousSkill {
  readonly entry: LockedSkill;
  /** The changes that a rollback would make. */
  readonly changes: readonly FileChange[];
  /** The same line by line. */
  readonly diff: string;
}

/** Compares the version that `rollback` would switch to, if there is one, with the files that are installed. */
export function comparePrevious(
  locked: LockedSkill,
  { place, work }: Pick<ChangeContext, 'place' | 'work'>,
): Outcome<{ readonly previous: PreviousSkill | undefined }> {
  const { name } = locked;
  const found = findPrevious(work.dir, name);
  if (!found.ok) return found;
  if (found.previous === undefined) return { ok: true, previous: undefined };
  const { entry, dir: previous } = found.previous;
  const dir = skillDirectory(place, name, locked);
  const changes = compareWithDisk(entry, dir).map(({ path, kind }) => ({ path, kind: TURNED[kind] }));
  return { ok: true, previous: { entry, changes, diff: diffVersions(dir, previous, changes) } };
}

/** Compared the other way round. */
const TURNED = { added: 'removed', removed: 'added', changed: 'changed', mode: 'mode' } as const;
