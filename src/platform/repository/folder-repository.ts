import type { SkillFolder } from '../../model/folder.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { readInside } from '../files/inside.ts';
import { listInside, type InsideListing } from '../files/list-inside.ts';
import { openFiles, type Repository, type TreeEntry } from './repository.ts';

/** Opens a plain folder as a repository, without the data of git; `realDir` must be a real path. */
export function openFolderRepository(realDir: string): Outcome<{ readonly repository: Repository }> {
  const { files, refused } = listInside(realDir, { leaveOut: GIT });
  const unlisted = refused.find(({ kind }) => kind === 'unlisted' || kind === 'too-many');
  if (unlisted !== undefined) return fail('INSTALL_FAILED', `${realDir}: ${unlisted.path} ${unlisted.reason}`);
  const others = refused.filter(({ path }) => !GIT.has(path.split('/').at(-1) ?? ''));
  return { ok: true, repository: openListing({ files, refused: others }, readerOf(realDir)) };
}

const GIT: ReadonlySet<string> = new Set(['.git']);

/** The complete folder, even if parts cannot be read; including git's hooks and settings. */
export function openWholeFolder(realDir: string): Repository {
  const { files, refused } = listInside(realDir);
  const own = files.filter(({ path }) => !path.startsWith(`${GIT_OBJECTS}/`));
  const unread = own.length < files.length ? [LEFT_TO_GIT] : [];
  return openListing({ files: own, refused: [...refused, ...unread] }, readerOf(realDir));
}

/** Git's own data, which git never runs. */
const GIT_OBJECTS = '.git/objects';
const LEFT_TO_GIT = { path: GIT_OBJECTS, kind: 'git', reason: 'is left to git' } as const;

type ReadFile = SkillFolder['read'];

/** Files that are listed already, and how to read one. */
export function openListing({ files, refused }: InsideListing, read: ReadFile): Repository {
  const entries: readonly Omit<TreeEntry, 'id'>[] = [
    ...files.map((file) => ({ ...file, kind: 'file' as const })),
    ...refused.map(({ path, ...refusal }) => {
      const kind = refusal.kind === 'link' ? ('link' as const) : ('other' as const);
      return { path, kind, executable: false, size: 0, refusal };
    }),
  ];
  return openFiles(entries, read);
}

function readerOf(realDir: string): ReadFile {
  return (path, maxBytes) => readInside(realDir, path, { maxBytes });
}
