import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, type Dirent } from 'node:fs';
import { sep } from 'node:path';

import type { FolderEntry, RefusalKind, RefusedEntry } from '../../model/folder.ts';
import { MAX_FOLDER_DEPTH, MAX_SKILL_FILES } from '../../model/limits.ts';
import { findPathFault } from '../../model/path-fault.ts';
import { attempt } from '../errors.ts';
import { isOpenedInside, OPEN_FLAGS, pathOfOpen } from './inside.ts';

export interface InsideListing {
  readonly files: readonly FolderEntry[];
  /** Everything else with the reason; '' is the folder itself. */
  readonly refused: readonly RefusedEntry[];
}

export interface ListOptions {
  /** Entries with these names are skipped at every depth. */
  readonly leaveOut?: ReadonlySet<string>;
  /** The rest is refused; 10,000 by default. */
  readonly maxEntries?: number;
}

/**
 * Lists every regular file below a skill's folder that `readInside` would read, shallow ones first. `realDir` must be a real
 * path. Follows no links: opens each folder, checks where it really is, and only then lists it.
 */
export function listInside(
  realDir: string,
  { leaveOut = NOTHING, maxEntries = MAX_SKILL_FILES }: ListOptions = {},
): InsideListing {
  const files: FolderEntry[] = [];
  const refused: RefusedEntry[] = [];
  const folders = [''];
  let seen = 0;
  for (const folder of folders) {
    for (const entry of listFolder(realDir, folder)) {
      const path = join(folder, entry.name);
      if (seen === maxEntries) return { files, refused: [...refused, { path, ...tooMany(maxEntries) }] };
      seen += 1;
      const refusal = leaveOut.has(entry.name) ? LEFT_OUT : findRefusal(path, entry);
      if (refusal !== undefined) refused.push({ path, ...refusal });
      else if (entry.kind === 'directory') folders.push(path);
      else if (entry.kind === 'file') files.push({ path, size: entry.size, executable: entry.executable });
    }
  }
  return { files, refused };
}

const NOTHING: ReadonlySet<string> = new Set();

type Refusal = Omit<RefusedEntry, 'path'>;

const LEFT_OUT: Refusal = { kind: 'left-out', reason: 'is left out' };

function tooMany(maxEntries: number): Refusal {
  return { kind: 'too-many', reason: `and what follows is left out: there are more than ${maxEntries} entries` };
}

type Entry = { readonly name: string } & (
  | { readonly kind: 'directory' }
  | { readonly kind: 'file'; readonly size: number; readonly executable: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
);

function findRefusal(path: string, entry: Entry): Refusal | undefined {
  if (entry.kind === 'refused') return entry.refusal;
  if (entry.kind === 'directory' && path.split('/').length >= MAX_FOLDER_DEPTH)
    return { kind: 'too-deep', reason: `is nested deeper than ${MAX_FOLDER_DEPTH} levels` };
  const fault = findPathFault(path);
  return fault === undefined ? undefined : { kind: 'name', reason: fault };
}

/** The entries of a folder, sorted by name; a folder that cannot be listed is refused under an empty name. */
function listFolder(realDir: string, folder: string): readonly Entry[] {
  const full = folder === '' ? realDir : `${realDir}${sep}${folder}`;
  const listed = attempt(() => {
    const fd = openSync(full, OPEN_FLAGS);
    try {
      const stats = fstatSync(fd);
      return isOpenedInside(realDir, fd, { full, stats }) ? listOpen(fd, full) : undefined;
    } finally {
      closeSync(fd);
    }
  });
  if (!listed.ok) return [refuse('', 'unlisted', `cannot be listed: ${listed.message}`)];
  return listed.value ?? [refuse('', 'outside', 'has its real path outside the skill')];
}

/** Lists through the open handle where the system allows it, so that swapping the folder gains nothing. */
function listOpen(fd: number, full: string): readonly Entry[] {
  const at = pathOfOpen(fd) === undefined ? full : `/proc/self/fd/${fd}`;
  return readdirSync(at, { withFileTypes: true, encoding: 'buffer' })
    .map((entry) => describe(entry, at))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `at` is the path through which the folder is open. */
function describe(entry: Dirent<Buffer>, at: string): Entry {
  const name = entry.name.toString();
  // The decoded name would not lead back to the file.
  if (!isUtf8(entry.name)) return refuse(name, 'name', 'has a name that is not valid UTF-8; rename it');
  if (entry.isDirectory()) return { name, kind: 'directory' };
  if (entry.isSymbolicLink()) return refuse(name, 'link', 'is a link');
  const stats = attempt(() => lstatSync(`${at}${sep}${name}`));
  if (!stats.ok) return refuse(name, 'unreadable', `cannot be read: ${stats.message}`);
  if (!stats.value.isFile()) return refuse(name, 'special', 'is not a regular file');
  return { name, kind: 'file', size: stats.value.size, executable: (stats.value.mode & 0o111) !== 0 };
}

function refuse(name: string, kind: RefusalKind, reason: string): Entry {
  return { name, kind: 'refused', refusal: { kind, reason } };
}

function join(folder: string, name: string): string {
  return folder === '' || name === '' ? `${folder}${name}` : `${folder}/${name}`;
}
