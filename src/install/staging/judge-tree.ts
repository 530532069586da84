import { MAX_PLUGIN_FILE_BYTES } from '../../model/limits.ts';
import { withFolders } from '../../model/path-fault.ts';
import type { TreeEntry } from '../../platform/repository/repository.ts';
import { findTreePathFault, foldPath } from './path-faults.ts';

export const MAX_PLUGIN_FILES = 2_000;
export const MAX_PLUGIN_BYTES: number = 20 * 1024 * 1024;

/** A file that may be written; its path is relative to the skill's folder. */
export interface JudgedFile {
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly executable: boolean;
}

export interface TreeFinding {
  /** Relative to the skill's folder; empty if the finding is about all files. Hostile text. */
  readonly path: string;
  readonly reason: string;
}

export interface Judgement {
  readonly files: readonly JudgedFile[];
  /** Why nothing may be written; `files` is empty then. */
  readonly faults: readonly TreeFinding[];
  /** Entries that are not installed. */
  readonly leftOut: readonly TreeFinding[];
}

/** Decides, before anything is written, whether the files below a folder of a repository may be written to any disk. */
export function judgeTree(entries: readonly TreeEntry[], folder = ''): Judgement {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = entries.flatMap((entry) =>
    entry.path.startsWith(prefix) ? [{ ...entry, path: entry.path.slice(prefix.length) }] : [],
  );
  const files = inside.filter(({ kind }) => kind === 'file');
  const amount = findAmountFault(inside.length, files);
  if (amount !== undefined) return { files: [], faults: [{ path: '', reason: amount }], leftOut: [] };
  const leftOut = inside
    .filter(({ kind }) => kind === 'submodule')
    .map(({ path }) => ({ path, reason: 'is a submodule (another repository), which is not fetched' }));
  const flawed = inside.flatMap((entry) => {
    const reason = findEntryFault(entry);
    return reason === undefined ? [] : [{ path: entry.path, reason }];
  });
  // Only valid paths are compared: others can have any length and depth.
  const faults = flawed.length > 0 ? flawed : findTwins(files.map(({ path }) => path));
  return { files: faults.length > 0 ? [] : files, faults, leftOut };
}

function findAmountFault(count: number, files: readonly JudgedFile[]): string | undefined {
  if (count > MAX_PLUGIN_FILES) return `there are ${count} files; the limit is ${MAX_PLUGIN_FILES}`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_PLUGIN_BYTES)
    return `the files have ${inMiB(bytes)} in total; the limit is ${inMiB(MAX_PLUGIN_BYTES)}`;
  return undefined;
}

function inMiB(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

function findEntryFault({ path, kind, size }: TreeEntry): string | undefined {
  if (kind === 'link') return 'is a link; only regular files are installed';
  if (kind === 'other') return 'is not a regular file';
  if (size > MAX_PLUGIN_FILE_BYTES) return `is larger than ${inMiB(MAX_PLUGIN_FILE_BYTES)}`;
  return findTreePathFault(path);
}

/** On many systems, paths that differ only in case or Unicode form are the same, and the last one written wins. */
function findTwins(paths: readonly string[]): readonly TreeFinding[] {
  const spellings = new Map<string, { readonly spelling: string; readonly isFile: boolean }>();
  const findings = new Map<string, TreeFinding>();
  for (const path of paths) {
    for (const part of withFolders(path)) {
      const isFile = part === path;
      const folded = foldPath(part);
      const known = spellings.get(folded);
      if (known === undefined) spellings.set(folded, { spelling: part, isFile });
      else if (known.spelling !== part)
        findings.set(part, { path: part, reason: `is the same as ${known.spelling} on many systems` });
      else if (isFile || known.isFile) findings.set(part, { path: part, reason: 'is listed twice' });
    }
  }
  return [...findings.values()];
}
