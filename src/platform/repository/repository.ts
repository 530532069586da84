import type { RefusedEntry } from '../../model/folder.ts';
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
  /** Why it cannot be read, if its kind does not explain it. */
  readonly refusal?: Omit<RefusedEntry, 'path'> | undefined;
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

/** Files that are at hand, as a repository: a folder, an archive or contents in memory. Nothing has to be closed. */
export function openFiles(
  entries: readonly Omit<TreeEntry, 'id'>[],
  read: (path: string, maxBytes: number) => Outcome<{ readonly bytes: Uint8Array }>,
): Repository {
  const tree = openTreeListing(entries.map((entry) => ({ ...entry, id: entry.path })));
  return {
    commit: undefined,
    notices: [],
    listTree: async (path) => ({ ok: true, entries: tree.below(path) }),
    readBlob: async (id, maxBytes) => read(id, maxBytes),
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** All entries of a repository. */
export interface TreeListing {
  /** All entries below a folder, or the file itself; without a path, everything. Sorted by path. */
  below(path?: string): readonly TreeEntry[];
}

/** Finding the entries of a folder takes no longer, however many others there are. */
export function openTreeListing(entries: readonly TreeEntry[]): TreeListing {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return {
    below(path) {
      if (path === undefined || path === '') return sorted;
      const exact = findFirst(sorted, path);
      const [from, to] = [findFirst(sorted, `${path}/`), findFirst(sorted, `${path}${AFTER_SLASH}`)];
      return [...sorted.slice(exact, exact + 1).filter((entry) => entry.path === path), ...sorted.slice(from, to)];
    },
  };
}

/** The character that follows `/`. */
const AFTER_SLASH = '0';

/** The index of the first entry whose path is not before this one. */
function findFirst(sorted: readonly TreeEntry[], path: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}
