import type { Outcome } from '../../model/outcome.ts';

/** Only entries of kind `file` are ever installed. */
export type TreeEntryKind = 'file' | 'link' | 'submodule' | 'other';

export interface TreeEntry {
  /** From the repository's root, with `/`. Hostile: unchecked. */
  readonly path: string;
  readonly kind: TreeEntryKind;
  readonly executable: boolean;
  /** In bytes; 0 unless it is a file. */
  readonly size: number;
  /** For `readBlob`. */
  readonly id: string;
}

/** The files of a git repository at one commit, or of a plain folder; nothing is checked out. */
export interface Repository extends AsyncDisposable {
  /** Undefined for a plain folder. */
  readonly commit: string | undefined;
  /** Remarks for the person who asked for the repository. */
  readonly notices: readonly string[];
  /** Every entry below a folder, or of the whole tree; the same at every call. */
  listTree(path?: string): Promise<Outcome<{ readonly entries: readonly TreeEntry[] }>>;
  readBlob(id: string, maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
  /** Removes everything that was fetched. */
  close(): Promise<void>;
}

export function entriesBelow(entries: readonly TreeEntry[], path: string | undefined): readonly TreeEntry[] {
  if (path === undefined || path === '') return entries;
  return entries.filter((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
}
