import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../clock.ts';
import { attempt } from '../errors.ts';
import { isBelow, isPlainDirectory, isTaken, listDirectory, realPath } from './files.ts';
import { removeFile } from './write-file.ts';

/** A folder of our own beside the skills, on their file system: for files being written and for previous versions. */
export interface StateFolder {
  readonly dir: string;
  /** A free path in the folder. What is left there when this process ends is swept away later. */
  newPath(): string;
  /** Removes the folder, and the parents that were created with it, if they are empty. */
  tidy(): void;
}

/** The folders of previous versions in a state folder. */
function listKept(dir: string): readonly string[] {
  const listing = listDirectory(dir);
  const entries = listing.state === 'listed' ? listing.entries : [];
  return entries.flatMap(({ name, kind }) => (kind === 'directory' && name.startsWith(KEPT) ? [join(dir, name)] : []));
}

/** Names that `newPath` and fetching use; the group is their `uniqueName`. */
export const STAGED_NAMES: RegExp = /^(?:fetch-)?(\d+-[0-9a-z]+)$/;

/** The prefix of folders of previous versions. */
export const KEPT = 'previous-';

const NAME = '.skillplane';

/** Creates the folder in `root`, and `root` itself if needed; no link may lead out of `boundary`. */
export function openStateFolder(root: string, boundary?: string): Outcome<{ readonly folder: StateFolder }> {
  const dir = join(root, NAME);
  const made = attempt(() => mkdirSync(root, { recursive: true }));
  if (!made.ok) return fail('STORE_FAILED', `${root} could not be created: ${made.message}`);
  const tidy = (): void => {
    removePrivate(dir);
    removeEmpty(root, made.value);
  };
  const opened = findWayOut(root, boundary) ?? makePrivate(dir);
  if (opened.ok) return { ok: true, folder: { dir, newPath: () => join(dir, uniqueName()), tidy } };
  tidy();
  return opened;
}

function findWayOut(root: string, boundary: string | undefined): Outcome<never> | undefined {
  if (boundary === undefined) return undefined;
  const [real, limit] = [realPath(root) ?? root, realPath(boundary) ?? boundary];
  return isBelow(real, limit)
    ? undefined
    : fail('PATH_REFUSED', `${root} is a link that leaves the project, to ${real}`);
}

function makePrivate(dir: string): Outcome {
  if (isTaken(dir) && !isPlainDirectory(dir)) return fail('PATH_REFUSED', `${dir} is not a folder`, 'Move it away.');
  const ignore = join(dir, '.gitignore');
  const made = attempt(() => {
    mkdirSync(dir, { recursive: true });
    // Never overwrites a file or follows a link.
    writeFileSync(ignore, '*\n', { flag: 'wx' });
  });
  if (made.ok || made.errno === 'EEXIST') return { ok: true };
  return fail('STORE_FAILED', `${dir} could not be created: ${made.message}`);
}

/** Another process may be about to use it: removes it only if it is empty, and restores it if it was not after all. */
function removePrivate(dir: string): void {
  if (!isPlainDirectory(dir)) return;
  // Stops at the first that holds a version: then the folder stays anyway.
  if (!listKept(dir).every((kept) => attempt(() => rmdirSync(kept)).ok)) return;
  const listing = listDirectory(dir);
  const names = listing.state === 'listed' ? listing.entries.map(({ name }) => name) : [];
  if (names.length !== 1 || names[0] !== '.gitignore') return;
  removeFile(join(dir, '.gitignore'));
  if (!attempt(() => rmdirSync(dir)).ok && isPlainDirectory(dir)) makePrivate(dir);
}

/** `first` is the topmost folder that was created, if any. */
function removeEmpty(root: string, first: string | undefined): void {
  if (first === undefined) return;
  for (let path = root; path.startsWith(first); path = dirname(path)) if (!attempt(() => rmdirSync(path)).ok) return;
}
