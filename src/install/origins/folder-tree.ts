import type { TreeEntry } from '../../platform/repository/repository.ts';

/** A listing of paths as a tree of folders; the root is ''. */
export interface FolderTree {
  /** How many entries are nested too deep and left out. */
  readonly unseen: number;
  find(path: string): TreeEntry | undefined;
  /** The sorted names in a folder; empty if there is no such folder. */
  names(folder: string): readonly string[];
  /** The folders directly in a folder, as full paths, sorted. */
  subfolders(folder: string): readonly string[];
  /** Every folder that is not empty, sorted. */
  folders(): readonly string[];
}

/** Far more than can be installed; each level costs memory. */
const MAX_LEVELS = 64;
const MAX_LENGTH = 4_096;

export function openFolderTree(entries: readonly TreeEntry[]): FolderTree {
  const seen = entries.filter(({ path }) => path.length <= MAX_LENGTH && path.split('/').length <= MAX_LEVELS);
  const byPath = new Map(seen.map((entry) => [entry.path, entry]));
  const children = new Map<string, Set<string>>([['', new Set()]]);
  for (const { path } of seen) addPath(children, path);
  return {
    unseen: entries.length - seen.length,
    find: (path) => byPath.get(path),
    names: (folder) => [...(children.get(folder) ?? [])].sort(),
    subfolders: (folder) =>
      [...(children.get(folder) ?? [])]
        .map((name) => joinPath(folder, name))
        .filter((path) => children.has(path))
        .sort(),
    folders: () => [...children.keys()].sort(),
  };
}

function addPath(children: Map<string, Set<string>>, path: string): void {
  const at = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(at, 0));
  const known = children.get(folder);
  if (known !== undefined) known.add(path.slice(at + 1));
  else {
    children.set(folder, new Set([path.slice(at + 1)]));
    addPath(children, folder);
  }
}

export function joinPath(folder: string, name: string): string {
  return folder === '' || name === '' ? `${folder}${name}` : `${folder}/${name}`;
}
