import { MAX_PLUGIN_FILE_BYTES, MAX_RESOURCE_BYTES } from '../../model/limits.ts';
import type { LockedFile, LockedSkill } from '../../model/lock.ts';
import { decodeStrictly } from '../../parse/decode.ts';
import { sha256Of } from '../../parse/digest.ts';
import { openDiffBudget, renderDiff } from '../../parse/render-diff.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';

export type FileChangeKind = 'added' | 'removed' | 'changed' | 'mode';

/** How one file differs between two versions of a skill. */
export interface FileChange {
  readonly path: string;
  readonly kind: FileChangeKind;
}

/** The differences, sorted by path; `mode` means that only the executable bit changed. */
export function compareFiles(before: readonly LockedFile[], after: readonly LockedFile[]): readonly FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const present = new Set(after.map(({ path }) => path));
  const changes = after.flatMap((file): readonly FileChange[] => {
    const kind = compareFile(old.get(file.path), file);
    return kind === undefined ? [] : [{ path: file.path, kind }];
  });
  const removed = before
    .filter(({ path }) => !present.has(path))
    .map(({ path }): FileChange => ({ path, kind: 'removed' }));
  return [...changes, ...removed].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function compareFile(before: LockedFile | undefined, after: LockedFile): FileChangeKind | undefined {
  if (before === undefined) return 'added';
  if (before.digest !== after.digest) return 'changed';
  return before.executable === after.executable ? undefined : 'mode';
}

/** How the files on disk differ from the lock. */
export function compareWithDisk({ files }: LockedSkill, dir: string): readonly FileChange[] {
  const folder = openSkillFolder(dir);
  const found = folder.files();
  const present = found.files.map(({ path, executable }): LockedFile => {
    const content = folder.read(path, MAX_RESOURCE_BYTES);
    return { path: path.normalize('NFC'), digest: content.ok ? sha256Of(content.bytes) : '', executable };
  });
  // Links and special files were never installed, so they are changes. The empty path is the folder itself.
  const others = found.refused
    .filter(({ path }) => path !== '')
    .map(({ path }): LockedFile => ({ path: path.normalize('NFC'), digest: '', executable: false }));
  return compareFiles(files, [...present, ...others]);
}

/** The changes between two folders, line by line, as `diff -u` shows them; long ones are cut, and say so. */
export function diffVersions(before: string, after: string, changes: readonly FileChange[]): string {
  const [old, current] = [openSkillFolder(before), openSkillFolder(after)];
  const textOf = (folder: typeof old, path: string): string | undefined => {
    const content = folder.read(path, MAX_PLUGIN_FILE_BYTES);
    return content.ok ? decodeStrictly(content.bytes) : '';
  };
  const budget = openDiffBudget();
  return changes
    .map(({ path, kind }) => {
      const mode = kind === 'mode' ? `${path}: the executable bit changes\n` : '';
      const [left, right] = [textOf(old, path), textOf(current, path)];
      if (left !== undefined && right !== undefined) return mode + renderDiff(left, right, path, budget);
      return mode || `${path}: ${kind}, not text\n`;
    })
    .join('');
}
