import {
  chownSync,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { MAX_FOLDER_DEPTH } from '../../model/limits.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { isOwnerGone, now, uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { isTaken, listDirectory } from '../files/files.ts';
import { OPEN_FLAGS } from '../files/inside.ts';
import { removeFile, removeTree } from '../files/remove-tree.ts';
import { isPickedUser } from './picked-user.ts';

export interface OutputFile {
  /** From the output folder, with `/`. */
  readonly path: string;
  readonly size: number;
}

export interface OutputListing {
  readonly outputs: readonly OutputFile[];
  /** True if there are more files than listed, or larger ones. */
  readonly isCut: boolean;
}

/** A private folder for one run of a script, or for a toolset while it is loaded. */
export interface ScratchFolder {
  /** Closed to other users. The sandbox does not show it, so its script cannot open it, whatever it does to `dir`. */
  readonly root: string;
  /** The folder in it to which its script may write. */
  readonly dir: string;
  /** A free path in it for a copy of the skill. */
  readonly skillDir: string;
  /** Makes another user the owner; only root can, and not on every file system. */
  readonly giveTo: (user: number) => boolean;
  /** Its run has ended: removes the copy of the skill. The outputs are the caller's now and stay until `dispose`, however we end. */
  readonly keepOutputs: () => void;
  /** The regular files in `dir`; follows no links. Takes special bits (setuid, setgid) from them. */
  readonly listOutputs: () => OutputListing;
  /** Removes the folder with everything in it. */
  readonly dispose: () => void;
}

export const MAX_OUTPUT_FILES = 1_000;
export const MAX_OUTPUT_FILES_BYTES: number = 256 * 1024 * 1024;
const MAX_ENTRIES_SEEN = 10_000;

/** Makes a folder in `parent`, and removes those of runs that were killed together with us. For root, others should be able to reach it. */
export function makeScratchFolder(parent: string): Outcome<ScratchFolder> {
  const made = attempt(() => {
    mkdirSync(parent, { recursive: true });
    sweepScratchFolders(parent);
    const root = join(realpathSync(parent), `skillplane-run-${uniqueName()}`);
    mkdirSync(root, { mode: 0o700 });
    mkdirSync(join(root, 'output'), { mode: 0o700 });
    writeFileSync(join(root, RUNNING), '');
    return root;
  });
  if (!made.ok) return fail('STORE_FAILED', `a folder in ${parent} could not be created: ${made.message}`);
  const root = made.value;
  const dir = join(root, 'output');
  return {
    ok: true,
    root,
    dir,
    skillDir: join(root, 'skill'),
    giveTo: (user) => [dir, root].every((path) => attempt(() => chownSync(path, user, user)).ok),
    keepOutputs() {
      removeTree(join(root, 'skill'));
      removeFile(join(root, RUNNING));
    },
    listOutputs: () => listOutputs(dir),
    dispose: () => void removeTree(root),
  };
}

/** Marks the folder of a run that has not ended. */
const RUNNING = 'running';
const NAMES = /^skillplane-run-(\d+-[0-9a-z]+)$/;

function sweepScratchFolders(parent: string): void {
  const listing = listDirectory(parent);
  for (const { name, kind } of listing.state === 'listed' ? listing.entries : []) {
    const owner = kind === 'directory' ? NAMES.exec(name)?.[1] : undefined;
    const root = join(parent, name);
    const stats = owner === undefined ? undefined : attempt(() => lstatSync(root));
    if (owner === undefined || stats?.ok !== true || !isOurs(stats.value.uid)) continue;
    if (isOwnerGone(owner, now() - stats.value.mtimeMs) && isTaken(join(root, RUNNING))) removeTree(root);
  }
}

/** Others may have put a folder of this name there. */
function isOurs(user: number): boolean {
  return user === process.getuid?.() || (process.getuid?.() === 0 && isPickedUser(user));
}

/** Copies files from a run's folder to another. Replaces nothing: if one of them exists there, none is copied. */
export function saveOutputs(
  outputs: readonly OutputFile[],
  from: string,
  to: string,
): Outcome<{ readonly paths: readonly string[] }> {
  const taken = outputs.find(({ path }) => isTaken(join(to, path)));
  if (taken !== undefined)
    return fail('ALREADY_EXISTS', `${join(to, taken.path)} exists already`, 'Choose another folder, or move it away.');
  const saved = attempt(() => {
    mkdirSync(to, { recursive: true });
    return outputs.map(({ path }) => {
      const target = join(to, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, readFileSync(join(from, path)), { flag: 'wx' });
      return target;
    });
  });
  return saved.ok ? { ok: true, paths: saved.value } : fail('STORE_FAILED', `${to}: ${saved.message}`);
}

function listOutputs(root: string): OutputListing {
  const outputs: OutputFile[] = [];
  let bytes = 0;
  for (const file of walkFiles(root)) {
    bytes += file?.size ?? 0;
    if (file === undefined || outputs.length >= MAX_OUTPUT_FILES || bytes > MAX_OUTPUT_FILES_BYTES)
      return sorted(outputs, true);
    outputs.push(file);
  }
  return sorted(outputs, false);
}

/** Yields undefined at the end if it did not look everywhere. */
function* walkFiles(root: string): Generator<OutputFile | undefined> {
  let isWhole = true;
  const pending = [{ path: '', depth: 0 }];
  for (let next = pending.pop(), seen = 0; next !== undefined && seen < MAX_ENTRIES_SEEN; next = pending.pop()) {
    const { path, depth } = next;
    const listing = listDirectory(join(root, path));
    const entries = listing.state === 'listed' ? listing.entries : [];
    isWhole &&= listing.state === 'listed';
    seen += entries.length;
    for (const { name, kind } of entries) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (kind === 'file') yield { path: inner, size: sizeOf(join(root, inner)) };
      else if (kind === 'directory' && depth < MAX_FOLDER_DEPTH) pending.push({ path: inner, depth: depth + 1 });
      else isWhole &&= kind !== 'directory';
    }
  }
  if (!isWhole || pending.length > 0) yield undefined;
}

function sorted(outputs: readonly OutputFile[], isCut: boolean): OutputListing {
  return { outputs: outputs.toSorted((a, b) => (a.path < b.path ? -1 : 1)), isCut };
}

function sizeOf(path: string): number {
  const stats = attempt(() => lstatSync(path));
  if (!stats.ok) return 0;
  if ((stats.value.mode & SPECIAL_BITS) !== 0) stripSpecialBits(path);
  return stats.value.size;
}

const SPECIAL_BITS = 0o7000;

/** By descriptor, so that a link that takes the file's place gains nothing. */
function stripSpecialBits(path: string): void {
  const stripped = attempt(() => {
    const fd = openSync(path, OPEN_FLAGS);
    try {
      fchmodSync(fd, fstatSync(fd).mode & 0o777);
    } finally {
      closeSync(fd);
    }
  });
  // We cannot read it, so no one can use it but as a program.
  if (!stripped.ok) removeTree(path);
}
