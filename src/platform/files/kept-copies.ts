import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { isOwnerGone, now, uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { isPlainDirectory, listDirectory } from './files.ts';
import { removeTree } from './remove-tree.ts';
import { makeStagingFolder, type StagedFile } from './staging-folder.ts';
import { removeFile } from './write-file.ts';

/**
 * Copies of folders, each under a name of its own. The least recently used are removed. Their owner can remove them with `rm -rf`: a
 * copy is checked by its digest before each use, and the sandbox mounts it read-only, so folder modes protect nothing.
 */
export interface KeptCopies {
  /** The folder of a copy, which then stays as long as this process runs; undefined if there is none. */
  find(name: string): string | undefined;
  /** Makes a copy out of what `fill` writes. If `fill` fails, so does this, and there is no copy. */
  make(name: string, fill: (write: (file: StagedFile) => Outcome) => Outcome): Outcome<{ readonly dir: string }>;
  remove(name: string): void;
}

export interface CopyLimits {
  readonly copies: number;
  readonly bytes: number;
}

const COPY_LIMITS: CopyLimits = { copies: 50, bytes: 512 * 1024 * 1024 };

/** `root` is created so that no other user can write there, or list it. */
export function openKeptCopies(root: string, limits: CopyLimits = COPY_LIMITS): KeptCopies {
  const inUse = new Set<string>();
  const use = (name: string): string => {
    if (!inUse.has(name)) attempt(() => markUsed(join(root, name)));
    inUse.add(name);
    return join(root, name, CONTENT);
  };
  return {
    find: (name) => (isPlainDirectory(join(root, name, CONTENT)) ? use(name) : undefined),
    make(name, fill) {
      const opened = openRoot(root);
      if (!opened.ok) return opened;
      const staged = join(root, `${STAGED}${uniqueName()}`);
      const filled = fillCopy(staged, fill);
      // Another process may have made it meanwhile.
      const placed = filled.ok ? attempt(() => renameSync(staged, join(root, name))) : filled;
      removeTree(staged);
      if (!filled.ok) return filled;
      if (!placed.ok && !isPlainDirectory(join(root, name, CONTENT)))
        return fail('STORE_FAILED', `${join(root, name)} could not be created: ${placed.message}`);
      const dir = use(name);
      sweep(root, limits);
      return { ok: true, dir };
    },
    remove(name) {
      inUse.delete(name);
      removeNamed(root, name);
    },
  };
}

/** In the folder of a copy: its content, its size, and a file for each process that uses it. */
const CONTENT = 'content';
const SIZE = 'size';
const USER = 'used-';
const USER_NAMES = /^used-(\d+-[0-9a-z]+)$/;
const STAGED = 'new-';
const STAGED_NAMES = /^new-(\d+-[0-9a-z]+)$/;

/** Root's scripts run as another user, who must pass through; the names of copies are not known to others. */
function openRoot(root: string): Outcome {
  const isRoot = process.getuid?.() === 0;
  const made = attempt(() => {
    mkdirSync(root, { recursive: true });
    chmodSync(root, isRoot ? 0o711 : 0o700);
    return lstatSync(root);
  });
  if (!made.ok) return fail('STORE_FAILED', `${root} could not be created: ${made.message}`);
  const isOurs = made.value.isDirectory() && (process.getuid === undefined || made.value.uid === process.getuid());
  return isOurs ? { ok: true } : fail('STORE_FAILED', `${root} is not a folder of yours`, 'Move it away.');
}

function fillCopy(staged: string, fill: (write: (file: StagedFile) => Outcome) => Outcome): Outcome {
  const content = join(staged, CONTENT);
  const opened = makeStagingFolder(content);
  if (!opened.ok) return opened;
  let bytes = 0;
  const filled = fill((file) => {
    bytes += file.bytes.length;
    return opened.folder.write(file);
  });
  if (!filled.ok) return filled;
  const noted = attempt(() => writeFileSync(join(staged, SIZE), String(bytes)));
  return noted.ok ? { ok: true } : fail('STORE_FAILED', `${staged} could not be written: ${noted.message}`);
}

function markUsed(copy: string): void {
  for (const user of listUsers(copy)) if (!isUsing(copy, user)) removeFile(join(copy, `${USER}${user}`));
  writeFileSync(join(copy, `${USER}${uniqueName()}`), '');
  utimesSync(copy, now() / 1_000, now() / 1_000);
}

interface Copy {
  readonly name: string;
  readonly bytes: number;
  readonly ageMs: number;
  readonly isInUse: boolean;
}

/** Removes what killed processes left half done, and the oldest copies beyond the limits that no process uses. */
function sweep(root: string, limits: CopyLimits): void {
  const listing = listDirectory(root);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  const copies: Copy[] = [];
  for (const name of names) {
    const owner = STAGED_NAMES.exec(name)?.[1];
    if (owner === undefined) copies.push(describe(root, name));
    else if (isOwnerGone(owner, ageOf(join(root, name)))) removeTree(join(root, name));
  }
  let [count, bytes] = [0, 0];
  for (const copy of copies.toSorted((a, b) => a.ageMs - b.ageMs)) {
    const fits = count < limits.copies && bytes + copy.bytes <= limits.bytes;
    if (!fits && !copy.isInUse) removeNamed(root, copy.name);
    else [count, bytes] = [count + 1, bytes + copy.bytes];
  }
}

function describe(root: string, name: string): Copy {
  const dir = join(root, name);
  const size = attempt(() => Number(readFileSync(join(dir, SIZE), 'latin1')));
  return {
    name,
    bytes: size.ok && Number.isFinite(size.value) ? size.value : 0,
    ageMs: ageOf(dir),
    isInUse: listUsers(dir).some((user) => isUsing(dir, user)),
  };
}

/** Names of processes that use a copy, or did. */
function listUsers(copy: string): readonly string[] {
  const names = attempt(() => readdirSync(copy));
  return (names.ok ? names.value : []).flatMap((file) => USER_NAMES.exec(file)?.[1] ?? []);
}

function isUsing(copy: string, user: string): boolean {
  return !isOwnerGone(user, ageOf(join(copy, `${USER}${user}`)));
}

function ageOf(path: string): number {
  const stats = attempt(() => lstatSync(path));
  return stats.ok ? now() - stats.value.mtimeMs : 0;
}

/** Takes the name first, so that no process finds half a copy. */
function removeNamed(root: string, name: string): void {
  const taken = join(root, `${STAGED}${uniqueName()}`);
  if (attempt(() => renameSync(join(root, name), taken)).ok) removeTree(taken);
}
