import type { LockedFile } from '../model/lock.ts';
import type { FileDigest } from '../parse/digest.ts';
import { openSkillFolder } from '../platform/folder.ts';

/** The files of a skill's folder as the lock lists them. */
export function lockFiles(dir: string, digests: readonly FileDigest[]): readonly LockedFile[] {
  const executables = new Set(
    openSkillFolder(dir)
      .files()
      .files.flatMap(({ path, executable }) => (executable ? [path.normalize('NFC')] : [])),
  );
  return digests.map(({ path, digest }) => ({ path, digest, executable: executables.has(path) }));
}
