import { decodeStrictly } from '../../parse/decode.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import { openSkillFolder } from '../../platform/files/skill-folder.ts';
import { MAX_PLUGIN_FILE_BYTES } from '../staging/judge-tree.ts';
import type { FileChange } from './compare-files.ts';

/** What changes between two versions of a skill in their folders, line by line, as `diff -u` shows it. */
export function diffVersions(before: string, after: string, changes: readonly FileChange[]): string {
  const [old, current] = [openSkillFolder(before), openSkillFolder(after)];
  const textOf = (folder: typeof old, path: string): string | undefined => {
    const content = folder.read(path, MAX_PLUGIN_FILE_BYTES);
    return content.ok ? decodeStrictly(content.bytes) : '';
  };
  return changes
    .map(({ path, kind }) => {
      const mode = kind === 'mode' ? `${path}: what may be executed changes\n` : '';
      const [left, right] = [textOf(old, path), textOf(current, path)];
      if (left !== undefined && right !== undefined) return mode + renderDiff(left, right, path);
      return mode || `${path}: ${kind}, and no text\n`;
    })
    .join('');
}
