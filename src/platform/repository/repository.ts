import type { Outcome } from '../../model/outcome.ts';

/** What an entry of a tree is; only files are ever written. */
export type TreeEntryKind = 'file' | 'link' | 'submodule' | 'other';

export interface TreeEntry {
  /** From the repository's root, with `/`. Hostile: nothing about it has been checked. */
  readonly path: string;
  readonly kind: TreeEntryKind;
  readonly executable: boolean;
  /** In bytes; 0 for what is no file. */
  readonly size: number;
  /** What `readBlob` reads it by. */
  readonly id: string;
}

/** The files of a repository at one commit, or of a folder as it lies, without any of them being checked out. */
export interface Repository extends AsyncDisposable {
  /** Absent for a folder that is no git repository. */
  readonly commit: string | undefined;
  /** What the person who asked for it should know. */
  readonly notices: readonly string[];
  /** Every entry below a folder, or of the whole tree; no two lists of one repository differ. */
  listTree(path?: string): Promise<Outcome<{ readonly entries: readonly TreeEntry[] }>>;
  readBlob(id: string, maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  /** Removes whatever was fetched. */
  close(): Promise<void>;
}

export function entriesBelow(entries: readonly TreeEntry[], path: string | undefined): readonly TreeEntry[] {
  if (path === undefined || path === '') return entries;
  return entries.filter((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
}
