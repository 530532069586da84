import { chmodSync, lstatSync, mkdirSync, readlinkSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt, type SystemFailure } from '../errors.ts';
import { isInside, realPath } from './files.ts';

export function makeFolder(path: string): Outcome {
  const made = attempt(() => mkdirSync(path, { recursive: true }));
  return made.ok ? { ok: true } : fail('STORE_FAILED', `${path} could not be created: ${made.message}`);
}

/** Folders of the agent home that hold nothing but our own state. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(['cache', 'hosts', 'pending', 'sync']);

/** Creates a private folder for our own files. Throws system errors. */
export function makePrivateFolder(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  // Earlier versions created it readable for everyone.
  if (made === undefined && OWN_FOLDERS.has(basename(path)) && (lstatSync(path).mode & 0o077) !== 0)
    attempt(() => chmodSync(path, 0o700));
}

/** Closes a copy to other users if they cannot read one of the originals. */
export function closeCopy(copy: string, originals: readonly string[]): Outcome {
  const closed = attempt(() => {
    const modes = originals.map((path) => statSync(path, { throwIfNoEntry: false })?.mode);
    if (modes.some((mode) => mode !== undefined && (mode & 0o004) === 0)) chmodSync(copy, 0o700);
  });
  return closed.ok ? { ok: true } : fail('STORE_FAILED', `${copy} could not be closed to others: ${closed.message}`);
}

export interface InsideOptions {
  /** No link on the way may lead out of this folder, not even to a folder that does not exist yet. */
  readonly boundary?: string | undefined;
  /** Only its owner can enter it. */
  readonly isPrivate?: boolean | undefined;
}

/** Creates a folder and returns its real path. */
export function makeFolderInside(
  path: string,
  { boundary, isPrivate = false }: InsideOptions,
): Outcome<{ readonly realDir: string }> {
  if (boundary !== undefined && !staysInside(path, boundary)) return leaves(path, boundary);
  const made = attempt(() => mkdirSync(path, { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) }));
  const realDir = realPath(path);
  if (!made.ok || realDir === undefined) {
    const reason = !made.ok ? made.message : 'not found';
    return fail('STORE_FAILED', `${path} could not be created: ${reason}`);
  }
  if (boundary !== undefined && !staysInside(path, boundary)) return leaves(path, boundary);
  return { ok: true, realDir };
}

function leaves(path: string, boundary: string): Outcome<never> {
  return fail('PATH_REFUSED', `${path} is a link to a place outside ${boundary}; nothing is written there`);
}

/** Is the deepest existing folder in the boundary? A dangling link is not. */
function staysInside(path: string, boundary: string): boolean {
  const realBoundary = realPath(boundary) ?? boundary;
  const real = realPath(path);
  if (real !== undefined) return isInside(real, realBoundary);
  return kindAt(path) === 'missing' && dirname(path) !== path && staysInside(dirname(path), boundary);
}

/** The kind of the entry at a path; follows no links. */
export function kindAt(path: string): 'missing' | 'directory' | 'file' | 'link' | 'other' {
  const stats = attempt(() => lstatSync(path));
  if (!stats.ok) return stats.errno === 'ENOENT' || stats.errno === 'ENOTDIR' ? 'missing' : 'other';
  if (stats.value.isSymbolicLink()) return 'link';
  if (stats.value.isDirectory()) return 'directory';
  return stats.value.isFile() ? 'file' : 'other';
}

/** Moves a file or folder in one step, and replaces a file that is there. All our changes end with this. */
export function rename(from: string, to: string): Outcome<object, SystemFailure> {
  return attempt(() => renameSync(from, to));
}

/** Moves a file or folder in one step; nothing may exist at `to`. */
export function moveTo(from: string, to: string): Outcome {
  if (kindAt(to) !== 'missing') return fail('ALREADY_EXISTS', `${to} already exists`);
  const moved = rename(from, to);
  if (moved.ok) return { ok: true };
  return fail('STORE_FAILED', `${basename(from)} could not be moved to ${to}: ${moved.message}`);
}

/** The text of a link; undefined for anything else. */
export function readLink(path: string): string | undefined {
  const read = attempt(() => readlinkSync(path));
  return read.ok ? read.value : undefined;
}

/** Makes a link to a folder; nothing may exist at `path`. `isRefused` if this file system, or this user, has no links. */
export function makeLink(
  path: string,
  target: string,
): Outcome<object, ReturnType<typeof fail> & { readonly isRefused: boolean }> {
  const made = attempt(() => symlinkSync(target, path, process.platform === 'win32' ? 'junction' : 'dir'));
  if (made.ok) return { ok: true };
  return {
    ...fail('STORE_FAILED', `${path} could not be linked to ${target}: ${made.message}`),
    isRefused: REFUSALS.has(made.errno),
  };
}

/** Errors of file systems without links, and of users who may not make any. */
const REFUSALS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'UNKNOWN']);
