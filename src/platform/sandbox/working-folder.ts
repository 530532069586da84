import { createHash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { compareText } from '../../model/order.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { walkTree } from '../files/copy-tree.ts';
import { isTaken } from '../files/files.ts';
import { OPEN_FLAGS } from '../files/inside.ts';
import { removeFile } from '../files/remove-tree.ts';

/** A file that a script wrote or changed. */
export interface WrittenFile {
  /** From the working folder, with `/`. */
  readonly path: string;
  readonly size: number;
  /** `sha256:` and 64 lower-case hex digits. */
  readonly digest: string;
}

export interface WrittenFiles {
  /** Sorted by path. Regular files only, without what is behind links. */
  readonly files: readonly WrittenFile[];
  /** True if there may be more files than listed. */
  readonly isCut: boolean;
}

export const MAX_WRITTEN_FILES = 1_000;
export const MAX_WRITTEN_BYTES: number = 256 * 1024 * 1024;

/**
 * Remembers which files a folder holds; the function lists those that were written or changed since, and takes special bits
 * (setuid, setgid) from them. Entries with the names in `leaveOut` are not looked at.
 */
export function rememberFolder(dir: string, leaveOut?: ReadonlySet<string>): () => WrittenFiles {
  const before = new Map<string, string>();
  for (const entry of walkTree(dir, leaveOut)) if (entry !== undefined) before.set(entry.path, stampOf(entry.stats));
  return () => listWritten(dir, before, leaveOut);
}

function listWritten(dir: string, before: ReadonlyMap<string, string>, leaveOut?: ReadonlySet<string>): WrittenFiles {
  const files: WrittenFile[] = [];
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let bytes = 0;
  let isCut = false;
  for (const entry of walkTree(dir, leaveOut)) {
    if (entry === undefined) isCut = true;
    if (entry?.stats.isFile() !== true || before.get(entry.path) === stampOf(entry.stats)) continue;
    const path = join(dir, entry.path);
    if ((entry.stats.mode & SPECIAL_BITS) !== 0) stripSpecialBits(path);
    bytes += entry.stats.size;
    const isWithin = files.length < MAX_WRITTEN_FILES && bytes <= MAX_WRITTEN_BYTES;
    const digest = isWithin ? digestOf(path, piece) : undefined;
    if (digest === undefined) isCut = true;
    else files.push({ path: entry.path, size: entry.stats.size, digest });
  }
  return { files: files.sort((a, b) => compareText(a.path, b.path)), isCut };
}

/** `chmod` changes it as well. */
function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

const SPECIAL_BITS = 0o7000;

function stripSpecialBits(path: string): void {
  const stripped = withOpen(path, (fd) => {
    fchmodSync(fd, fstatSync(fd).mode & 0o777);
    return true;
  });
  // We cannot read it, so no one can use it but as a program.
  if (stripped === undefined) removeFile(path);
}

const PIECE_BYTES = 64 * 1024;

/** Undefined if the file cannot be read, which happens in pieces. */
function digestOf(path: string, piece: Buffer): string | undefined {
  return withOpen(path, (fd) => {
    const hash = createHash('sha256');
    for (let count = readSync(fd, piece); count > 0; count = readSync(fd, piece)) hash.update(piece.subarray(0, count));
    return `sha256:${hash.digest('hex')}`;
  });
}

/** Undefined if it fails. By descriptor, so that a link that takes the file's place gains nothing. */
function withOpen<T>(path: string, use: (fd: number) => T): T | undefined {
  const opened = attempt(() => openSync(path, OPEN_FLAGS));
  if (!opened.ok) return undefined;
  const used = attempt(() => use(opened.value));
  closeSync(opened.value);
  return used.ok ? used.value : undefined;
}

/** Copies files from a run's folder to another. Replaces nothing: if one of them exists there, none is copied. */
export function saveFiles(
  files: readonly WrittenFile[],
  from: string,
  to: string,
): Outcome<{ readonly paths: readonly string[] }> {
  const taken = files.find(({ path }) => isTaken(join(to, path)));
  if (taken !== undefined)
    return fail('ALREADY_EXISTS', `${join(to, taken.path)} already exists`, {
      either: [{ advice: 'Choose another folder.' }, { moveAway: join(to, taken.path) }],
    });
  const paths: string[] = [];
  for (const { path } of files) {
    const bytes = withOpen(join(from, path), (fd) => readFileSync(fd));
    if (bytes === undefined) return fail('STORE_FAILED', `${join(from, path)} is gone or cannot be read`);
    const target = join(to, path);
    const saved = attempt(() => {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes, { flag: 'wx' });
    });
    if (!saved.ok) return fail('STORE_FAILED', `${target}: ${saved.message}`);
    paths.push(target);
  }
  return { ok: true, paths };
}
