import { readLock } from '../config/lock-file.ts';
import type { LockedSkill } from '../model/lock.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { isFolderName } from '../parse/name-rules.ts';
import { isTaken, readStamp } from '../platform/files/files.ts';
import type { InstallPlace } from './install-place.ts';

/**
 * Reads what is installed from the lock of a place. A project's lock is hostile: it must not be a link, and no name in
 * it may lead out of the folder.
 */
export function readInstalled({
  lockFile,
  boundary,
}: InstallPlace): Outcome<{ readonly skills: readonly LockedSkill[] }> {
  if (boundary !== undefined && isTaken(lockFile) && readStamp(lockFile) === undefined)
    return fail('PATH_REFUSED', `${lockFile} is not a regular file`, 'Move it away.');
  const read = readLock(lockFile);
  const bad = read.ok ? read.skills.find(({ name }) => !isFolderName(name)) : undefined;
  return bad === undefined
    ? read
    : fail('CONFIG_INVALID', `${lockFile}: "${bad.name}" is not a valid name for a skill`);
}
