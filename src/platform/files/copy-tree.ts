import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { MAX_FOLDER_DEPTH, MAX_SKILL_FILES } from '../../model/limits.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { listDirectory } from './files.ts';
import { readInside } from './inside.ts';

export interface WalkedEntry {
  /** From the root, with `/`; empty for the root itself. */
  readonly path: string;
  readonly stats: Stats;
}

/**
 * A file or folder and everything below it, parents first; follows no links. Yields undefined at the end if it did not see
 * everything: within the limits of a skill, and what can be listed.
 */
export function* walkTree(root: string, leaveOut: ReadonlySet<string> = NOTHING): Generator<WalkedEntry | undefined> {
  let isWhole = true;
  const pending = [''];
  for (let at = 0; at < pending.length; at += 1) {
    const path = pending[at] ?? '';
    const stats = attempt(() => lstatSync(join(root, path)));
    if (!stats.ok) {
      isWhole &&= stats.errno === 'ENOENT';
      continue;
    }
    yield { path, stats: stats.value };
    if (!stats.value.isDirectory()) continue;
    const isDeep = path.split('/').length > MAX_FOLDER_DEPTH;
    const listing = isDeep ? undefined : listDirectory(join(root, path));
    isWhole &&= listing?.state === 'listed';
    for (const { name } of listing?.state === 'listed' ? listing.entries : []) {
      if (leaveOut.has(name)) continue;
      if (pending.length > MAX_SKILL_FILES) isWhole = false;
      else pending.push(path === '' ? name : `${path}/${name}`);
    }
  }
  if (!isWhole) yield undefined;
}

const NOTHING: ReadonlySet<string> = new Set();

export const MAX_COPY_BYTES: number = 256 * 1024 * 1024;

/**
 * Copies a file or folder to a path where nothing is. Its owner can write to the copy, others can read it, and programs stay
 * programs. Links stay links; anything but files, folders and links is skipped. Gives the number of bytes.
 */
export function copyTree(
  from: string,
  to: string,
  maxBytes: number = MAX_COPY_BYTES,
): Outcome<{ readonly bytes: number }> {
  let bytes = 0;
  for (const entry of walkTree(from)) {
    if (entry === undefined)
      return fail('PATH_REFUSED', `it has more than ${MAX_SKILL_FILES} files, or some that cannot be read`);
    if (entry.stats.isFile()) bytes += entry.stats.size;
    if (bytes > maxBytes) return fail('PATH_REFUSED', `it is larger than ${Math.floor(maxBytes / 1024 ** 2)} MiB`);
    const copied = copyEntry(from, join(to, entry.path), entry);
    if (!copied.ok) return copied;
  }
  return { ok: true, bytes };
}

function copyEntry(from: string, to: string, { path, stats }: WalkedEntry): Outcome {
  const content = stats.isFile() ? readEntry(from, path) : undefined;
  if (content?.ok === false) return content;
  const made = attempt(() => {
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(join(from, path)), to);
    if (stats.isDirectory()) mkdirSync(to);
    if (content !== undefined) {
      writeFileSync(to, content.bytes, { flag: 'wx' });
      // So that a change by a script shows.
      utimesSync(to, stats.atime, stats.mtime);
    }
    // The process's umask cuts the mode of new files.
    if (stats.isDirectory() || content !== undefined) chmodSync(to, isForExecuting(stats) ? 0o755 : 0o644);
  });
  return made.ok ? { ok: true } : fail('STORE_FAILED', made.message);
}

function readEntry(from: string, path: string): Outcome<{ readonly bytes: Uint8Array }> {
  const [dir, name] = path === '' ? [dirname(from), basename(from)] : [from, path];
  return readInside(dir, name, { maxBytes: MAX_COPY_BYTES });
}

/** True for folders too, where the bit means entering. */
export function isForExecuting(stats: Stats): boolean {
  return stats.isDirectory() || (stats.mode & 0o100) !== 0;
}
