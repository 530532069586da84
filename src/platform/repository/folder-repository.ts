import { fail, type Outcome } from '../../model/outcome.ts';
import { readInside } from '../files/inside.ts';
import { listInside, type InsideListing } from '../files/list-inside.ts';
import { openTreeListing, type Repository, type TreeEntry, type TreeEntryKind } from './repository.ts';

/** Opens a plain folder as a repository; `realDir` must be a real path. */
export function openFolderRepository(realDir: string): Outcome<{ readonly repository: Repository }> {
  const listing = listInside(realDir, { leaveOut: LEFT_OUT });
  const unlisted = listing.refused.find(({ reason }) => /^(?:cannot be listed|and what follows)/.test(reason));
  if (unlisted !== undefined) return fail('INSTALL_FAILED', `${realDir}: ${unlisted.path} ${unlisted.reason}`);
  const tree = openTreeListing(toEntries(listing));
  const repository: Repository = {
    commit: undefined,
    notices: [],
    listTree: async (path) => ({ ok: true, entries: tree.below(path) }),
    readBlob: async (id, maxBytes) => readInside(realDir, id, { maxBytes }),
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return { ok: true, repository };
}

const LEFT_OUT: ReadonlySet<string> = new Set(['.git']);

function toEntries({ files, refused }: InsideListing): readonly TreeEntry[] {
  const others = refused.filter(({ path }) => !LEFT_OUT.has(path.split('/').at(-1) ?? ''));
  return [
    ...files.map((file) => ({ ...file, kind: 'file' as const, id: file.path })),
    ...others.map(({ path, reason }) => ({ path, kind: kindOf(reason), executable: false, size: 0, id: path })),
  ];
}

function kindOf(reason: string): TreeEntryKind {
  return reason === 'is a link' ? 'link' : 'other';
}
