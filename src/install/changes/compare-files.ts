import { MAX_RESOURCE_BYTES } from '../../model/limits.ts';
import type { LockedFile, LockedSkill } from '../../model/lock.ts';
import { sha256Of } from '../../parse/digest.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';

export type FileChangeKind = 'added' | 'removed' | 'changed' | 'mode';

/** How one file differs between two versions of a skill. */
export interface FileChange {
  readonly path: string;
  readonly kind: FileChangeKind;
}

/** What is different in `after`, by path; `mode` is a file that became executable, or is no longer. */
export function compareFiles(before: readonly LockedFile[], after: readonly LockedFile[]): readonly FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const kept = new Set(after.map(({ path }) => path));
  const changes = after.flatMap((file): readonly FileChange[] => {
    const kind = compareFile(old.get(file.path), file);
    return kind === undefined ? [] : [{ path: file.path, kind }];
  });
  const removed = before
    .filter(({ path }) => !kept.has(path))
    .map(({ path }): FileChange => ({ path, kind: 'removed' }));
  return [...changes, ...removed].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function compareFile(before: LockedFile | undefined, after: LockedFile): FileChangeKind | undefined {
  if (before === undefined) return 'added';
  if (before.digest !== after.digest) return 'changed';
  return before.executable === after.executable ? undefined : 'mode';
}

/** What is different on the disk from what the lock says of a skill. */
export function compareWithDisk({ files }: LockedSkill, dir: string): readonly FileChange[] {
  const folder = openSkillFolder(dir);
  const found = folder.files();
  const present = found.files.map(({ path, executable }): LockedFile => {
    const content = folder.read(path, MAX_RESOURCE_BYTES);
    return { path: path.normalize('NFC'), digest: content.ok ? sha256Of(content.bytes) : '', executable };
  });
  // Links and whatever else is no regular file were never installed. The folder itself is no file of it.
  const others = found.refused
    .filter(({ path }) => path !== '')
    .map(({ path }): LockedFile => ({ path: path.normalize('NFC'), digest: '', executable: false }));
  return compareFiles(files, [...present, ...others]);
}
