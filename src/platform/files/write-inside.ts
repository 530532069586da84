import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { isBelow, realPath } from './files.ts';
import { removeTree } from './remove-tree.ts';
import { sweepTemporary, writeNewFile, type WriteWholeOptions } from './write-file.ts';

/**
 * Replaces a file completely or not at all. Unlike `writeWhole` it follows no links: the file's folder must be a real path,
 * and a link in the file's place is itself replaced.
 */
export function writeInside(
  path: string,
  content: string | Uint8Array,
  { check = () => ({ ok: true }) }: Pick<WriteWholeOptions, 'check'> = {},
): Outcome<{ readonly path: string }> {
  const realDir = dirname(path);
  const temporary = join(realDir, `.skillplane-${uniqueName()}.tmp`);
  const written = attempt((): Outcome => {
    writeNewFile(temporary, content, modeOf(path));
    // If the folder was swapped for a link meanwhile, the new file is elsewhere.
    if (realPath(temporary) !== temporary) return fail('PATH_REFUSED', `${realDir} is now a link; nothing was written`);
    const checked = check();
    if (checked.ok) renameSync(temporary, path);
    return checked;
  });
  sweepTemporary(realDir);
  if (!written.ok || !written.value.ok) attempt(() => rmSync(temporary, { force: true }));
  if (written.ok) return written.value.ok ? { ok: true, path } : written.value;
  return fail('STORE_FAILED', `${path} could not be written: ${written.message}`);
}

/** The kind of the entry at a path; follows no links. */
export function kindAt(path: string): 'missing' | 'directory' | 'file' | 'link' | 'other' {
  const stats = attempt(() => lstatSync(path));
  if (!stats.ok) return stats.errno === 'ENOENT' || stats.errno === 'ENOTDIR' ? 'missing' : 'other';
  if (stats.value.isSymbolicLink()) return 'link';
  if (stats.value.isDirectory()) return 'directory';
  return stats.value.isFile() ? 'file' : 'other';
}

/**
 * Creates a folder and returns its real path. If there is a `boundary`, no link on the way may lead out of it, not even
 * to a folder that does not exist yet.
 */
export function makeFolderInside(path: string, boundary: string | undefined): Outcome<{ readonly realDir: string }> {
  if (boundary !== undefined && !staysInside(path, boundary)) return leaves(path, boundary);
  const made = attempt(() => mkdirSync(path, { recursive: true }));
  const realDir = realPath(path);
  if (!made.ok || realDir === undefined) {
    const reason = !made.ok ? made.message : 'not found';
    return fail('STORE_FAILED', `${path} could not be created: ${reason}`);
  }
  if (boundary !== undefined && !staysInside(path, boundary)) return leaves(path, boundary);
  return { ok: true, realDir };
}

function leaves(path: string, boundary: string): Outcome<never> {
  return fail('PATH_REFUSED', `${path} is a link that leads out of ${boundary}; nothing is written there`);
}

/** Is the deepest existing folder in the boundary? A dangling link is not. */
function staysInside(path: string, boundary: string): boolean {
  const realBoundary = realPath(boundary) ?? boundary;
  const real = realPath(path);
  if (real !== undefined) return real === realBoundary || isBelow(real, realBoundary);
  return kindAt(path) === 'missing' && dirname(path) !== path && staysInside(dirname(path), boundary);
}

/** Moves a file or folder in one step; nothing may exist at `to`. */
export function moveTo(from: string, to: string): Outcome {
  if (kindAt(to) !== 'missing') return fail('ALREADY_EXISTS', `${to} already exists`);
  const moved = attempt(() => renameSync(from, to));
  if (moved.ok) return { ok: true };
  return fail('STORE_FAILED', `${basename(from)} could not be moved to ${to}: ${moved.message}`);
}

export function removeFolder(path: string): Outcome {
  const removed = removeTree(path);
  if (removed.ok) return { ok: true };
  return fail('STORE_FAILED', `${path} could not be removed: ${removed.message}`);
}

function modeOf(path: string): number {
  const stats = attempt(() => lstatSync(path));
  return stats.ok && stats.value.isFile() ? stats.value.mode & 0o777 : 0o644;
}
